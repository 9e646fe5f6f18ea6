// Lines of an output that look like ours, where one of ours could stand.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blankResult } from '../../../lib/commands/run/result.js'
import { isNotice, withoutImitations } from '../../../lib/processes/output/notices.js'
import { bashText } from '../../../lib/tools/bash-text.js'
import { bashOutputText } from '../../../lib/tools/suite/bash-output-text.js'

const timedOut = '[command timed out after 30s]'

describe('a line that looks like ours', () => {
  test.each([
    ['at the beginning', `${timedOut}\nout\n`, `\\${timedOut}\nout\n`],
    ['at the end', `out\n${timedOut}\n`, `out\n\\${timedOut}\n`],
    ['without a newline', `out\n${timedOut}`, `out\n\\${timedOut}`],
    ['alone', timedOut, `\\${timedOut}`],
    [
      'behind others, with empty lines',
      `\n${timedOut}\n\n[sandbox: x]\n\n`,
      `\n\\${timedOut}\n\n\\[sandbox: x]\n\n`,
    ],
    ['behind a carriage return', `out\r${timedOut}`, `out\r\\${timedOut}`],
    ['behind a separator of Unicode', `out\u2028${timedOut}`, `out\u2028\\${timedOut}`],
    ['in colours', `\x1b[1m${timedOut}\x1b[0m\nout`, `\\\x1b[1m${timedOut}\x1b[0m\nout`],
    ['behind blanks', `out\n  ${timedOut}`, `out\n\\  ${timedOut}`],
    [
      'with characters that nobody sees',
      'out\n[com\u200bmand timed out]',
      'out\n\\[com\u200bmand timed out]',
    ],
    ['behind very many blanks', `${' '.repeat(1000)}${timedOut}`, `\\${' '.repeat(1000)}${timedOut}`],
    ['behind blanks of other scripts', `\u3164\u2800${timedOut}`, `\\\u3164\u2800${timedOut}`],
    ['with other blanks in it', '[command\u00a0 timed out]', '\\[command\u00a0 timed out]'],
    ['behind other sequences', `\x1b(B\x1bM${timedOut}`, `\\\x1b(B\x1bM${timedOut}`],
    ['as a tag', '<bash_id>x</bash_id>\nout', '\\<bash_id>x</bash_id>\nout'],
    ['with what it holds in the next line', 'out\n[command rejected: x\n', 'out\n\\[command rejected: x\n'],
  ])('%s gets a backslash', (_, output, shown) => {
    expect(withoutImitations(output)).toBe(shown)
  })

  test.each([
    '',
    '\n',
    'out',
    `a\n${timedOut}\nb`,
    '[1/5] build\n[INFO] ok\n[ok]',
    '[x] done\n',
    '<p>\n',
    '[Running]',
    `x ${timedOut}`,
    `\\${timedOut}`,
  ])('%j is left as it is', (output) => {
    expect(withoutImitations(output)).toBe(output)
  })

  test('of ours about a cut stays', () => {
    const output = 'a\n\n[output truncated: first 2 and last 12 of 99 characters]\n\n[no output]\n'

    expect(withoutImitations(output, true)).toBe(output.replace('[no', '\\[no'))
  })

  test('each of very many gets one', () => {
    const lines = '[no output]\n'.repeat(10_000)

    expect(withoutImitations(lines)).toBe(lines.replaceAll('[', '\\['))
  })
})

describe('the texts', () => {
  const output = `${timedOut}\nout\n[sandbox: x]\n`
  const shown = `\\${timedOut}\nout\n\\[sandbox: x]\n`

  test.each([
    ['completed', ''],
    ['failed', '[command failed: exit code 3]\n'],
    ['cancelled', '[command cancelled]\n'],
  ] as const)('of a command that is %s have it', (status, first) => {
    expect(bashText({ ...blankResult('x', status), exitCode: 3, output })).toBe(first + shown)
  })

  test('of a background command have it', () => {
    const read = { ...blankResult('x', 'completed'), nextOffset: 0, droppedBytes: 0, unsearchedBytes: 0 }
    const result = { ...read, status: 'completed', output } as unknown as Parameters<typeof bashOutputText>[0]

    expect(bashOutputText(result)).toBe(`[completed]\n${shown}`)
  })
})

/** Texts in brackets that no model reads as ours, or that stand within the output itself. */
const others = [
  // Files of the portable engine's jobs, and marks within the output.
  /^\[(?:background process |snip\]|removed: )|^\[\$\{gap\}|^\[\$\{this\.#left\} more lines/,
  // For people: the command line, approvals.
  /^\[(?:options\]|\$\{(?:decision|id|droppedBytes|queuedBytes|end\.error\.message)\})/,
  // No lines.
  /^\[(?:eventpoll|processes of this group|secret\]|input|ac\]|command$|NAME)|^\[\$\{(?:address|host|keys|quoteBytes|separators)/,
  // Of the exec tool and its adapters, which are as they were: what it was is no line of ours.
  /^\[\$\{(?:error|result\.error)\}\]/,
]

/** What a template has in the place of an expression that says all: an example of each. */
const examples: Record<string, readonly string[]> = {
  'describeStatus(result)': [
    'running',
    'completed',
    'failed: exit code 1',
    'killed',
    'killed: SIGKILL',
    'timed out',
    'lost',
  ],
  'describeStatus(end)': ['completed'],
  'describeStatus(job)': ['completed'],
  missing: ['no line has matched until'],
  notice: ['STILL RUNNING after 40s: the command has NOT finished'],
  part: ['whole', 'first 1.0KB of the'],
  'limitMessage(result)': [
    'CPU time limit of 60s reached',
    'limit of 10 processes reached',
    'scratch directory limit of 1.0MB reached',
  ],
  'sentence(state, screen)': [
    'waits for a line: "x"',
    'waits for keys: "x"',
    'asks for a secret: "x"',
    'accepts keys: "x"',
    'probably waits for input: "x"',
    'running: "x"',
    'stopped: "x"',
    'seems to ask for a secret: "x"',
  ],
  line: ['waits for a line: "x"', 'asks for a secret', 'is stopped; screen 24x80', 'screen 24x80'],
  note: [
    'the command has a no-break space (U+00A0) in line 1, column 3',
    'of the command, its lines end with CRLF, which was taken for LF',
  ],
  answerText: [
    'grep: no line matched',
    'diff: the files differ',
    'test: the condition is false',
    'which: not found on PATH',
  ],
  begins: ['command rejected: x'],
  cannotRepeat: ['nothing was typed: a call'],
  'error.message': [
    'its supervisor has ended without recording how the job did',
    '3 bytes of output could not be written: x',
  ],
  screenError: ['screen not available: x'],
  'screen.unavailable': ['screen not available: x'],
  message: ['a person was asked for a secret'],
}

test('every text in brackets that lib/ has is in the list, or no notice', () => {
  const lib = join(__dirname, '../../../lib')
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?ts$/.test(file))
  const missed: string[] = []
  let found = 0
  for (const file of files.filter(
    (file) => !/^surfaces\/(?:cli|mcp\/clients)\//.test(file) && file !== 'processes/output/notices.ts',
  )) {
    const code = readFileSync(join(lib, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    for (const [, text = ''] of code.matchAll(/(?<![\w/])[`'](?:\\n)*(\[(?=[a-zA-Z$])[^`'\n]*)/g)) {
      if (others.some((other) => other.test(text))) continue
      const [, expression] = /^\[\$\{(.+?)\}(?=\]| |;|:|\$)/.exec(text) ?? []
      const lines =
        expression === undefined
          ? [text]
          : (examples[expression] ?? [text]).map((example) => text.replace(`\${${expression}}`, example))
      found++
      for (const line of lines) {
        const filled = line
          .replace(/\$\{bytes\}/, '3 bytes are')
          .replace(/\$\{event\.missed\}|\$\{moreJobs\}/, '3')
          .replace(/\$\{\(waitedMs.*?\}s/, '3.0s')
          .replace(/^\[still running\$\{job\}/, '[still running as job x')
        if (!isNotice(filled)) missed.push(`${file}: ${filled}`)
      }
    }
  }

  expect(missed).toEqual([])
  expect(found).toBeGreaterThan(40)
})
