// createBashSuite(): its options, and what the three tools tell of themselves.
import {
  type BashOutputInput,
  type BashOutputResult,
  type BashResult,
  type BashSuiteOptions,
  createBashSuite,
  createBashTool,
  type KillBashInput,
  type KillBashResult,
  type SuiteBashInput,
  type Tool,
} from '../../../lib/index.js'
import { endJobs, tempStore, waitForStatusLine } from '../../support/jobs.js'
import { isAlive, killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { context, suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const createUntyped = (options: unknown) => createBashSuite(options as BashSuiteOptions)

describe('the tools', () => {
  test('are named Bash, BashOutput and KillBash', () => {
    const { bash, bashOutput, killBash } = createBashSuite()

    expect([bash.name, bashOutput.name, killBash.name]).toEqual(['Bash', 'BashOutput', 'KillBash'])
  })

  test('are Tools of their inputs and results', async () => {
    const bash: Tool<SuiteBashInput, BashResult> = createBashSuite().bash
    const bashOutput: Tool<BashOutputInput, BashOutputResult> = createBashSuite().bashOutput
    const killBash: Tool<KillBashInput, KillBashResult> = createBashSuite().killBash

    expect([typeof bash.execute, typeof bashOutput.stream, typeof killBash.toText]).toEqual([
      'function',
      'function',
      'function',
    ])
  })

  test('Bash takes {command, timeout?, description?, run_in_background?}', () => {
    expect(JSON.parse(JSON.stringify(createBashSuite().bash.inputSchema))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        command: { type: 'string', description: expect.any(String) },
        timeout: {
          type: 'integer',
          minimum: 1,
          maximum: 600_000,
          description: 'Timeout in milliseconds (default 120000, max 600000)',
        },
        description: { type: 'string', description: expect.any(String) },
        run_in_background: { type: 'boolean', description: expect.stringContaining('BashOutput') },
      },
      required: ['command'],
      additionalProperties: false,
    })
  })

  test('BashOutput takes {bash_id?, filter?, offset?, wait_ms?, until?, tail_lines?}', () => {
    expect(JSON.parse(JSON.stringify(createBashSuite().bashOutput.inputSchema))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        bash_id: { type: 'string', description: expect.any(String) },
        filter: { type: 'string', description: expect.stringContaining('regular expression') },
        offset: { type: 'integer', minimum: 0, description: expect.stringContaining('nextOffset') },
        wait_ms: { type: 'integer', minimum: 0, maximum: 60_000, description: expect.any(String) },
        until: { type: 'string', description: expect.stringContaining('RE2') },
        tail_lines: { type: 'integer', minimum: 1, maximum: 10_000, description: expect.any(String) },
      },
      additionalProperties: false,
    })
  })

  test('KillBash takes {bash_id}', () => {
    expect(JSON.parse(JSON.stringify(createBashSuite().killBash.inputSchema))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { bash_id: { type: 'string', description: expect.any(String) } },
      required: ['bash_id'],
      additionalProperties: false,
    })
  })

  test('have Standard Schemas', () => {
    const { bash, bashOutput, killBash } = createBashSuite()

    expect(bash.inputSchema['~standard'].validate({ command: 'ls', timeout: 5 })).toEqual({
      value: { command: 'ls', timeout: 5 },
    })
    expect(bashOutput.inputSchema['~standard'].validate({ wait_ms: -1 })).toMatchObject({
      issues: [{ path: ['wait_ms'] }],
    })
    expect(killBash.inputSchema['~standard'].validate({ bash_id: 7 })).toMatchObject({
      issues: [{ path: ['bash_id'] }],
    })
  })

  test('Bash is described with the working directory, and with the tools that go with it', () => {
    const description = createBashSuite().bash.description({ workingDir: '/srv/a' })

    expect(description).toContain('<pwd>/srv/a</pwd>')
    expect(description).toMatch(/120000.*600000/s)
    expect(description).toMatch(/run_in_background.*BashOutput.*KillBash/s)
  })

  test('the others are described as well', () => {
    const { bashOutput, killBash } = createBashSuite()

    expect(bashOutput.description(context)).toContain('run_in_background')
    expect(killBash.description(context)).toContain('run_in_background')
  })

  test('have methods that work by themselves, as frameworks call them', async () => {
    const { execute, toText } = createBashSuite().bash

    expect(toText(await execute({ command: 'echo hi' }, context))).toBe('hi\n')
  })
})

describe('options', () => {
  test.each<[string, unknown]>([
    ['options: must be an object (got null)', null],
    ['shellPath: must be an absolute path (got "bash")', { shellPath: 'bash' }],
    ['env: must be an object (got "none")', { env: 'none' }],
    ['survivors: must be one of adopt, kill (got "keep")', { survivors: 'keep' }],
    ['termGraceMs: must be an integer from 0 to 10000 milliseconds (got -1)', { termGraceMs: -1 }],
    ['limits: must be an object (got 5)', { limits: 5 }],
    ['jobs: must be a JobStore (got "/tmp")', { jobs: '/tmp' }],
    [
      'maxJobOutputBytes: must be an integer from 262144 to 1099511627776 bytes (got 1)',
      { maxJobOutputBytes: 1 },
    ],
  ])('refuses %s', (message, options) => {
    expect(() => createUntyped(options)).toThrow(
      expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message }),
    )
  })

  test.each(['cwd', 'timeout', 'timeouts', 'normalizeOutput', 'sandbox'])('refuses %s', (name) => {
    expect(() => createUntyped({ [name]: undefined })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`options.${name}: unknown field`) }),
    )
  })

  test('env: what commands get, in the foreground and in the background', async () => {
    const { bash, start, ended } = suiteCalls({ env: { set: { GREETING: 'hello' } } })
    const id = await start('echo $GREETING')

    expect((await bash({ command: 'echo $GREETING' })).text).toBe('hello\n')
    expect((await ended(id)).text).toBe('[completed]\nhello\n')
  })

  test('limits: which processes run under', async () => {
    expect((await suiteCalls({ limits: { openFiles: 32 } }).bash({ command: 'ulimit -n' })).text).toBe('32\n')
  })

  test('survivors: kill leaves nothing running', async () => {
    const { bash } = suiteCalls({ survivors: 'kill' })
    const { text } = await bash({ command: `sleep ${uniqueSleep()} & echo $!` })

    expect(isAlive(Number(text))).toBe(false)
  })

  test('maxJobOutputBytes: how large the file of a background command becomes', async () => {
    const { store, start } = suiteCalls({ maxJobOutputBytes: 262_144 })
    const { outputFile } = await store.get(await start('seq 100000'))

    expect((await waitForStatusLine(outputFile)).length).toBeLessThanOrEqual(262_144)
  })
})

describe('jobs', () => {
  test('are the same for every suite and tool with the same store', async () => {
    const jobs = tempStore()
    const [one, other] = [suiteCalls({ jobs }), suiteCalls({ jobs })]
    const id = await one.start(`echo on; sleep ${uniqueSleep()}`)
    const tool = createBashTool({ jobs })
    const { jobId } = await tool.execute({ command: 'echo of the bash tool', mode: 'background' }, context)

    expect(await other.outputWith(id, 'on\n')).toMatchObject({ status: 'running' })
    expect((await other.ended(jobId ?? '')).text).toBe('[completed]\nof the bash tool\n')
    expect((await other.killBash({ bash_id: id })).text).toBe('[killed]')
    expect((await one.ended(id)).text).toMatch(/^\[killed: SIGTERM\]\n/)
  })

  test('of another store are unknown', async () => {
    const id = await suiteCalls().start('true')

    expect((await suiteCalls().bashOutput({ bash_id: id })).text).toBe(
      `No background command with id ${id} (running: none)`,
    )
  })
})
