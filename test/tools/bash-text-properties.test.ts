// What holds for the text of every result, whatever the command printed and whatever its processes are called.
import fc from 'fast-check'
import { type BashResult, blankResult, type Survivor } from '../../lib/commands/run/result.js'
import { withoutImitations } from '../../lib/processes/output/notices.js'
import { bashText } from '../../lib/tools/bash-text.js'

const huge = fc.constantFrom('x', 'é\n', '😀', '\x1b[31m', ']\n[').map((text) => text.repeat(40_000))
const printed = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\n',
    'a',
    'a\n',
    '[no output]',
    '[command failed: exit code 1]\n',
    '\n\n[sandbox: x]',
    '\x1b[2J',
  ),
  huge,
)

/** Statuses of commands that ran, and what the first line then says. */
const ran = fc.oneof(
  fc.constant({ status: 'completed', exitCode: 0, first: '' } as const),
  fc
    .integer({ min: 1, max: 255 })
    .map(
      (exitCode) =>
        ({ status: 'failed', exitCode, first: `[command failed: exit code ${exitCode}]` }) as const,
    ),
  fc
    .constantFrom('SIGSEGV', 'SIGKILL', 'signal 35')
    .map((signal) => ({ status: 'failed', signal, first: `[command failed: killed by ${signal}]` }) as const),
  fc.integer({ min: 1, max: 86_400 }).map(
    (seconds) =>
      ({
        status: 'timed_out',
        timeoutMs: 1000 * seconds,
        first: `[command timed out after ${seconds}s]`,
      }) as const,
  ),
  fc.constant({ status: 'cancelled', first: '[command cancelled]' } as const),
)

const survivor: fc.Arbitrary<Survivor> = fc.record({
  pid: fc.integer({ min: 2, max: 4_194_304 }),
  command: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('a]\n[command completed]', 'a\x85b', 'a\u2028b', '\x1b[2J', 'a\rb', '\x9b1m', 'a\u202eb'),
  ),
  daemon: fc.boolean(),
})

/** The notes after the output, one per line, in this order. */
const additions = fc.record({
  saved: fc.boolean(),
  survivors: fc.array(survivor, { maxLength: 3 }),
  sandbox: fc.constantFrom('unrestricted' as const, 'restricted' as const),
  sessionUnsaved: fc.option(fc.constant('the state is larger than 65536 bytes'), { nil: undefined, freq: 1 }),
  denied: fc.option(fc.constant('network is blocked in Restricted mode'), { nil: undefined, freq: 1 }),
})

interface Generated {
  result: BashResult
  first: string
  lastLines: RegExp[]
}

const anyResult = fc
  .record({ ran, output: printed, truncated: fc.boolean(), additions })
  .map(({ ran: { first, ...fields }, output, truncated, additions }): Generated => {
    const { saved, sessionUnsaved, denied, ...others } = additions
    const result: BashResult = {
      ...blankResult('the command', fields.status),
      ...fields,
      ...others,
      output,
      truncated: truncated && output !== '',
      outputBytes: 3 * 1024 * 1024,
      ...(saved && { savedOutput: '/tmp/x.log', savedOutputBytes: 3 * 1024 * 1024 }),
      ...(sessionUnsaved !== undefined && { sessionUnsaved }),
      ...(denied !== undefined && { denied }),
    }
    const lastLines = [
      ...(saved ? [/^\[whole output saved: \/tmp\/x\.log\]$/] : []),
      ...(others.survivors.length > 0 ? [/^\[still running: \d+ \(.*\]$/] : []),
      ...(sessionUnsaved === undefined ? [] : [/^\[session state not saved: .*\]$/]),
      ...(denied === undefined ? [] : [/^\[sandbox: .*\]$/]),
    ]
    return { result, first, lastLines }
  })

const notice = '[output truncated in middle: got 3.0MB, max is 128.0KB]'

/** The text up to the end of the output. */
const beginning = ({ result: { status, output, truncated }, first }: Generated): string =>
  `${first === '' ? '' : `${first}\n`}${truncated ? `${notice}\n` : ''}${
    output === '' && status === 'completed' ? '[no output]' : withoutImitations(output, truncated)
  }`

test('begins with the status, the notice and the output, with a backslash before what looks like these', () => {
  fc.assert(
    fc.property(anyResult, (generated) => {
      expect(bashText(generated.result).startsWith(beginning(generated))).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('ends with a line for each thing to say, and with nothing else', () => {
  fc.assert(
    fc.property(anyResult, (generated) => {
      const { result, lastLines } = generated
      const rest = bashText(result).slice(beginning(generated).length)
      if (lastLines.length === 0) {
        expect(rest).toBe('')
        return
      }
      const lines = rest.replace(/^\n/, '').split('\n')
      expect(lines).toHaveLength(lastLines.length)
      for (const [index, line] of lines.entries()) expect(line).toMatch(lastLines[index] ?? /^$/)
    }),
    { numRuns: 400 },
  )
})

test('shows the names of processes without any control character or line break', () => {
  fc.assert(
    fc.property(fc.array(survivor, { minLength: 1, maxLength: 3 }), (survivors) => {
      const text = bashText({ ...blankResult('the command', 'completed'), survivors })
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]/)
      expect(text.split('\n').length).toBeLessThanOrEqual(2)
    }),
    { numRuns: 500 },
  )
})

test('the same result, the same text, also after a journey through JSON', () => {
  fc.assert(
    fc.property(anyResult, ({ result }) => {
      expect(bashText(JSON.parse(JSON.stringify(result)))).toBe(bashText(result))
    }),
  )
})
