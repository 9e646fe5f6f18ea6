// The tool as an object: what it tells of itself, and the options that it is made with.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashInput,
  type BashResult,
  type BashToolOptions,
  createBashTool,
  type Tool,
} from '../../lib/index.js'
import { bashSchema, describeBashTool } from '../../lib/tools/bash-schema.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { isAlive, killLeftovers, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const root = { workingDir: '/' }
const createUntyped = (options: unknown) => createBashTool(options as BashToolOptions)
const outputBytes = 'must be an integer from 262144 to 1099511627776 bytes'
const milliseconds = 'must be an integer from 1 to 86400000 milliseconds'

describe('the tool', () => {
  test('is named bash', () => {
    expect(createBashTool().name).toBe('bash')
  })

  test('is a Tool of its input and its result', async () => {
    const tool: Tool<BashInput, BashResult> = createBashTool()
    const input: BashInput = { command: 'echo hi', mode: 'slow' }
    const result: BashResult = await tool.execute(input, root)

    expect(tool.toText(result)).toBe('hi\n')
  })

  test('has the schema of its input, with its own timeouts', () => {
    const json = (value: unknown) => JSON.stringify(value)

    expect(json(createBashTool().inputSchema)).toBe(json(bashSchema({ default: 30_000, slow: 900_000 })))
    expect(json(createBashTool({ timeouts: { default: 5000 } }).inputSchema)).toBe(
      json(bashSchema({ default: 5000, slow: 900_000 })),
    )
  })

  test('is described with the working directory of the conversation', () => {
    const tool = createBashTool({ safety: false })

    expect(tool.description({ workingDir: '/srv/a' })).toBe(describeBashTool('/srv/a'))
    expect(tool.description({ workingDir: '/srv/b' })).toBe(describeBashTool('/srv/b'))
  })

  test('is described with an absolute path', () => {
    expect(createBashTool().description({ workingDir: '.' })).toContain(`<pwd>${process.cwd()}</pwd>`)
  })

  test('does not describe itself for a context that cannot be used', () => {
    expect(() => createBashTool().description({ workingDir: '' })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT' }),
    )
  })

  test('has methods that work by themselves, as frameworks call them', async () => {
    const { execute, toText, description } = createBashTool()

    expect(toText(await execute({ command: 'echo hi' }, root))).toBe('hi\n')
    expect(description(root)).toContain('<pwd>/</pwd>')
  })
})

describe('options', () => {
  test.each<[string, unknown]>([
    ['options: must be an object (got null)', null],
    ['options: must be an object (got "bash")', 'bash'],
    ['shellPath: must be an absolute path (got "bash")', { shellPath: 'bash' }],
    ['env: must be an object (got "none")', { env: 'none' }],
    ['env.inherit: must be one of filtered, all, none (got "some")', { env: { inherit: 'some' } }],
    ['normalizeOutput: must be a boolean (got "yes")', { normalizeOutput: 'yes' }],
    ['saveOutput: must be an object (got "/tmp")', { saveOutput: '/tmp' }],
    ['survivors: must be one of adopt, kill (got "keep")', { survivors: 'keep' }],
    ['termGraceMs: must be an integer from 0 to 10000 milliseconds (got 15000)', { termGraceMs: 15_000 }],
    ['limits.cpuSeconds: must be an integer from 1 to 31536000 (got 0)', { limits: { cpuSeconds: 0 } }],
    ['timeouts: must be an object (got 30000)', { timeouts: 30_000 }],
    ['timeouts: must be an object (got null)', { timeouts: null }],
    ['timeouts.fast: unknown field (allowed: default, slow, background)', { timeouts: { fast: 1 } }],
    [`timeouts.default: ${milliseconds} (got 0)`, { timeouts: { default: 0 } }],
    [`timeouts.slow: ${milliseconds} (got 90000000)`, { timeouts: { slow: 90_000_000 } }],
    [`timeouts.slow: ${milliseconds} (got "15m")`, { timeouts: { slow: '15m' } }],
    [`timeouts.background: ${milliseconds} (got 86400001)`, { timeouts: { background: 86_400_001 } }],
    ['jobs: must be a JobStore (got "/tmp")', { jobs: '/tmp' }],
    ['jobs: must be a JobStore (got {"directory":"/tmp"})', { jobs: { directory: '/tmp' } }],
    [`maxJobOutputBytes: ${outputBytes} (got 262143)`, { maxJobOutputBytes: 262_143 }],
    [`maxJobOutputBytes: ${outputBytes} (got "1GB")`, { maxJobOutputBytes: '1GB' }],
    // What structuredClone refuses, too.
    ['shellPath: must be an absolute path (got a function)', { shellPath: () => '/bin/bash' }],
    ['survivors: must be one of adopt, kill (got a symbol)', { survivors: Symbol('kill') }],
    ['env.set.NOW: must be a string or undefined (got a function)', { env: { set: { NOW: () => '1' } } }],
  ])('refuses %s', (message, options) => {
    expect(() => createUntyped(options)).toThrow(
      expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message }),
    )
  })

  test.each([
    ['cwd', '; workingDir belongs in the context of a call'],
    ['timeout', '; did you mean timeouts?'],
    ['onOutput', '; onEvent belongs in the context of a call'],
    ['streams', ''],
    ['cancelSignal', '; cancel belongs in the context of a call'],
    ['sandbox', '; sandbox belongs in the context of a call'],
    ['sandBox', '; sandbox belongs in the context of a call'],
    ['session', '; session belongs in the context of a call'],
  ])('refuses %s%s', (name, hint) => {
    const allowed =
      'shellPath, env, normalizeOutput, saveOutput, survivors, termGraceMs, limits, scratch, required, workspace, redact, maxOutputChars, errorLines, explain, backgroundAfter, safety, verdicts, calls, timeouts, jobs, maxJobOutputBytes'

    expect(() => createUntyped({ [name]: undefined })).toThrow(
      expect.objectContaining({ message: `options.${name}: unknown field${hint} (allowed: ${allowed})` }),
    )
  })

  test.each([1, 86_400_000])('timeouts of %d ms are allowed', (timeout) => {
    const timeouts = { default: timeout, slow: timeout, background: timeout }

    expect(() => createBashTool({ timeouts })).not.toThrow()
  })

  test('options given as undefined are absent', () => {
    expect(() => createUntyped({ shellPath: undefined, timeouts: { slow: undefined } })).not.toThrow()
  })

  test('are read when the tool is made, not later', async () => {
    const env = { set: { GREETING: 'first' } }
    const timeouts = { default: 30_000 }
    const tool = createBashTool({ env, timeouts })
    env.set.GREETING = 'second'
    timeouts.default = -1

    expect((await tool.execute({ command: 'echo $GREETING' }, root)).output).toBe('first\n')
  })

  test('env: what the commands get', async () => {
    const tool = createBashTool({ env: { inherit: 'none', set: { GREETING: 'hello' } } })

    expect((await tool.execute({ command: 'echo $GREETING' }, root)).output).toBe('hello\n')
  })

  test('normalizeOutput: what the model reads', async () => {
    const tool = createBashTool({ normalizeOutput: true })
    const result = await tool.execute({ command: "printf '10%%\\r100%%\\e[1m!\\e[0m'" }, root)

    expect(tool.toText(result)).toBe('100%!')
  })

  test('limits: which processes run under', async () => {
    const tool = createBashTool({ limits: { openFiles: 32 } })

    expect((await tool.execute({ command: 'ulimit -n' }, root)).output).toBe('32\n')
  })

  test('survivors: what becomes of background children', async () => {
    const command = `sleep ${uniqueSleep()} & echo $!`
    const jobs = tempStore()
    const [adopting, killing] = [createBashTool({ jobs }), createBashTool({ jobs, survivors: 'kill' })]
    const adopted = await adopting.execute({ command }, root)
    const killed = await killing.execute({ command }, root)

    expect(isAlive(Number(adopted.output))).toBe(true)
    expect(isAlive(Number(killed.output))).toBe(false)
  })

  test('timeouts: the one of the mode ends the call', async () => {
    const tool = createBashTool({ timeouts: { default: 300, slow: 60_000 } })
    const command = 'sleep 1; echo done'
    const [fast, slow] = await Promise.all([
      tool.execute({ command }, root),
      tool.execute({ command, mode: 'slow' }, root),
    ])

    expect(fast).toMatchObject({ status: 'timed_out', timeoutMs: 300 })
    expect(slow).toMatchObject({ status: 'completed', output: 'done\n' })
  })

  test('timeouts: one of them alone leaves the other as it is', async () => {
    const tool = createBashTool({ timeouts: { slow: 300 } })
    const command = 'sleep 1; echo done'
    const [fast, slow] = await Promise.all([
      tool.execute({ command, mode: 'default' }, root),
      tool.execute({ command, mode: 'slow' }, root),
    ])

    expect(fast).toMatchObject({ status: 'completed' })
    expect(slow).toMatchObject({ status: 'timed_out', timeoutMs: 300 })
  })

  test('termGraceMs: how long a command has after SIGTERM', async () => {
    const file = join(tempDir(), 'file')
    const tool = createBashTool({ timeouts: { default: 1000 }, termGraceMs: 0 })
    const command = `trap 'sleep 0.5; touch ${file}; exit' TERM; while :; do sleep 0.05; done`

    expect(await tool.execute({ command }, root)).toMatchObject({ status: 'timed_out', signal: 'SIGKILL' })
    expect(existsSync(file)).toBe(false)
  })
})
