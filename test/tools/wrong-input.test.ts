// What is wrong with a call is told by every tool in the same words: the field, what came, and what is allowed.
import fc from 'fast-check'
import { createBashSuite, createBashTool, createExecTool, JobStore } from '../../lib/index.js'
import { createLimitedBash } from '../../lib/surfaces/mcp/bash.js'

// They read no command, and have no place for jobs: nothing that is made up here can do anything.
const options = { shellPath: '/bin/true', jobs: new JobStore({ directory: '/dev/null/jobs' }) }
const suite = createBashSuite({ ...options, tty: true })
const { bash: plain, bashOutput } = createBashSuite(options)
const server = createLimitedBash({
  jobs: options.jobs,
  answerWithinMs: 40_000,
  timeouts: { default: 30_000, slow: 900_000, background: 86_400_000 },
})

/** What is used of a tool here. */
interface AnyTool {
  execute(input: unknown, context: unknown): Promise<object>
  toText(result: object): string
}

/** Each with the status of a result whose call was wrong; that of the exec tool has none. */
const tools = {
  bash: [createBashTool(options), 'invalid'],
  exec: [createExecTool({ shellPath: '/bin/true' }), undefined],
  'bash of the MCP server': [server, 'invalid'],
  'Bash of the suite': [plain, 'invalid'],
  BashOutput: [bashOutput, 'error'],
  KillBash: [suite.killBash, 'error'],
  BashInput: [suite.bashInput, 'error'],
} as const
type Name = keyof typeof tools
const entries = Object.entries(tools) as unknown as [Name, [AnyTool, string | undefined]][]
const context = { workingDir: '/' }

const id = { bash_id: 'bash_aaaaaa' }
const range = 'must be an integer from 1 to 600000'

/** Input, and what is said of it. */
const wrong: Record<Name, [input: unknown, message: string][]> = {
  bash: [
    [{ command: 'ls', mode: 'fast' }, 'mode: must be one of default, slow, background (got "fast")'],
    [{ command: ['ls'] }, 'command: must be a string (got ["ls"])'],
    [{ mode: 'slow' }, 'command: is required'],
    [{ command: 'ls', timeout: 5 }, 'timeout: is not a known property (allowed: command, mode)'],
    ['ls', 'input: must be an object (got "ls")'],
    [null, 'input: must be an object (got null)'],
    [undefined, 'input: must be an object (got undefined)'],
    [{ command: 'a\0b' }, 'command: must not contain NUL characters (got one at index 1)'],
    [
      { command: '#'.repeat(4_194_305) },
      'command: must be at most 4194304 bytes (got 4194305); write a script to a file and run that',
    ],
    [
      { mode: 1, extra: true },
      'command: is required; mode: must be one of default, slow, background (got 1); extra: is not a known property (allowed: command, mode)',
    ],
  ],
  exec: [
    [undefined, 'input: must be an object (got undefined)'],
    ['ls', 'input: must be an object (got "ls")'],
    [{}, 'command: is required'],
    [{ command: 7 }, 'command: must be a string (got 7)'],
    [{ command: '' }, 'command: must not be empty (got "")'],
    [{ command: ' \n\t' }, 'command: must not be empty (got " \\n\\t")'],
    [{ command: 'a\0b' }, 'command: must not contain NUL characters (got one at index 1)'],
    [{ command: 'ls', mode: 'slow' }, 'mode: is not a known property (allowed: command)'],
    [
      { command: 'x'.repeat(4_194_305) },
      'command: must be at most 4194304 bytes (got 4194305); write a script to a file and run that',
    ],
  ],
  'bash of the MCP server': [
    ...[0, 600_001, 1.5].map((timeout): [unknown, string] => [
      { command: 'true', timeout },
      `timeout: ${range} (got ${timeout})`,
    ]),
    [{ command: 'ls', mode: 'fast' }, 'mode: must be one of default, slow, background (got "fast")'],
    [{ command: 'a\0b' }, 'command: must not contain NUL characters (got one at index 1)'],
  ],
  'Bash of the suite': [
    [{}, 'command: is required'],
    [{ command: 7 }, 'command: must be a string (got 7)'],
    [{ command: 'ls', run_in_background: 'yes' }, 'run_in_background: must be a boolean (got "yes")'],
    [{ command: 'ls', description: 1 }, 'description: must be a string (got 1)'],
    [
      { command: 'ls', mode: 'slow' },
      'mode: is not a known property (allowed: command, timeout, description, run_in_background)',
    ],
    [null, 'input: must be an object (got null)'],
    [{ command: 'a\0b' }, 'command: must not contain NUL characters (got one at index 1)'],
    ...[0, 600_001, -5, 1.5, '120000', null].map((timeout): [unknown, string] => [
      { command: 'true', timeout },
      `timeout: ${range} (got ${JSON.stringify(timeout)})`,
    ]),
  ],
  BashOutput: [
    [{ bash_id: 7 }, 'bash_id: must be a string (got 7)'],
    [{ ...id, filter: 1 }, 'filter: must be a string (got 1)'],
    [{ ...id, offset: -1 }, 'offset: must be an integer of at least 0 (got -1)'],
    [{ ...id, offset: 0.5 }, 'offset: must be an integer of at least 0 (got 0.5)'],
    [
      { ...id, wait: 1 },
      'wait: is not a known property (allowed: bash_id, filter, offset, wait_ms, until, tail_lines)',
    ],
    [undefined, 'input: must be an object (got undefined)'],
    [{ ...id, wait_ms: 60_001 }, 'wait_ms: must be an integer from 0 to 60000 (got 60001)'],
    [{ ...id, until: 1 }, 'until: must be a string (got 1)'],
    [{ ...id, tail_lines: 0 }, 'tail_lines: must be an integer from 1 to 10000 (got 0)'],
    [{ wait_ms: 5 }, 'wait_ms: goes with a bash_id; without one, nothing else is allowed (got 5)'],
    [{ filter: 'a' }, 'filter: goes with a bash_id; without one, nothing else is allowed (got "a")'],
  ],
  KillBash: [
    [{}, 'bash_id: is required'],
    [{ bash_id: 7 }, 'bash_id: must be a string (got 7)'],
    [{ ...id, signal: 'KILL' }, 'signal: is not a known property (allowed: bash_id)'],
    ['bash_aaaaaa', 'input: must be an object (got "bash_aaaaaa")'],
  ],
  BashInput: [
    [id, 'text: is needed, or keys (got undefined)'],
    [{ ...id, text: 'a', keys: ['b'] }, 'keys: must be left out with text: give one of them (got ["b"])'],
    [{ ...id, text: '', submit: false }, 'text: must not be empty without submit (got "")'],
    [
      { ...id, text: '\x1b[201~' },
      'text: must be without control characters but tab and line feed, and has U+001B; keys have names, see keys() (got "\\u001b[201~")',
    ],
    [
      { ...id, keys: ['Entr'] },
      'keys[0]: must be a single character or the name of a key: Enter, Tab, BTab, Escape, Space, BSpace, Up, Down, Right, Left, Home, End, IC, DC, PPage, NPage, F1, F12, C-c, C-d, M-x, S-Up and the like; did you mean Enter? (got "Entr")',
    ],
    [{ ...id, keys: 'Enter' }, 'keys: must be an array of strings (got "Enter")'],
  ],
}
const inputs = entries.flatMap(([name, [tool, status]]) =>
  wrong[name].map(([input, message]) => ({ name, message, input, tool, status })),
)

test.each(inputs)('$name: [invalid input: $message]', async ({ tool, status, input, message }) => {
  const result = await tool.execute(input, context)

  if (status === undefined) {
    const error = `invalid input: ${message}`
    expect(result).toEqual({ stdout: '', stderr: '', exitCode: null, error })
    expect(JSON.parse(tool.toText(result))).toEqual(result)
  } else {
    expect(result).toMatchObject({ status, error: { code: 'ERR_INVALID_INPUT', message } })
    expect(tool.toText(result)).toBe(`[invalid input: ${message}]`)
  }
})

describe('never rejects', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
  })
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), anything)
  const mode = fc.oneof(fc.constantFrom('default', 'slow', 'background'), anything)
  const others = ['timeout', 'run_in_background', 'description', 'filter', 'offset', 'text', 'keys']
  const given = fc.record(
    { command: text, bash_id: text, mode, ...Object.fromEntries(others.map((name) => [name, anything])) },
    { requiredKeys: [] },
  )
  const contexts = fc.oneof(
    anything,
    fc.record(
      {
        workingDir: fc.oneof(fc.constant('/'), fc.string({ unit: 'binary' }), anything),
        cancel: fc.oneof(fc.constant(AbortSignal.abort()), anything),
        sandbox: fc.oneof(fc.constantFrom('restricted', 'unrestricted'), anything),
        onEvent: fc.oneof(
          fc.constant(() => {}),
          anything,
        ),
        conversationId: anything,
      },
      { requiredKeys: [] },
    ),
  )

  /** What every result looks like, whatever came in. */
  const expectResult = (tool: AnyTool, result: object): void => {
    expect(tool.toText(result)).not.toBe('')
    expect(() => JSON.stringify(result)).not.toThrow()
    const { status, error, exitCode, ...fields } = result as Record<string, unknown>
    for (const name of ['command', 'output', 'stdout', 'stderr']) {
      if (name in fields) expect(typeof fields[name]).toBe('string')
    }
    if (status === undefined) {
      expect(exitCode !== null || typeof error === 'string').toBe(true)
    } else if (status === 'invalid' || status === 'error') {
      expect(error).toEqual({ code: expect.stringMatching(/^ERR_[A-Z_]+$/), message: expect.any(String) })
    }
  }

  test.each(entries)('%s, whatever the input and the context', async (_, [tool]) => {
    const calls = fc.oneof(
      fc.tuple(fc.oneof(anything, given), fc.constant(context)),
      fc.tuple(fc.constantFrom<object>({ command: 'true' }, { bash_id: 'bash_aaaaaa' }), contexts),
    )
    await fc.assert(
      fc.asyncProperty(calls, async ([input, any]) => expectResult(tool, await tool.execute(input, any))),
      { numRuns: 200 },
    )
  })

  test.each(entries)('%s, not even for a context that throws at every touch', async (_, [tool]) => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const result = await tool.execute({ command: 'true' }, proxy)

    expect(result).toHaveProperty('error')
  })
})
