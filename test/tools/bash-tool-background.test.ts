// Mode background: what the call returns, and what becomes of the job (REQ-BASH-003).
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashEvent,
  type BashToolOptions,
  createBashTool,
  JobStore,
  type ToolContext,
} from '../../lib/index.js'
import { endJobs, tempStore, waitForStatusLine } from '../support/jobs.js'
import { isAlive, killLeftovers, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { fileOfJob, startJob } from './background-job.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('the call', () => {
  test('gives the pid, the output file, and how to stop it, to the letter', async () => {
    const { text, result } = await startJob(`sleep ${uniqueSleep()}`)

    expect(text).toBe(
      `<pid>${result.pid}</pid>\n` +
        `<output_file>${result.outputFile}</output_file>\n` +
        `<reminder>To stop: kill -9 -${result.pid}</reminder>`,
    )
  })

  test('gives a result of its own kind', async () => {
    const command = `sleep ${uniqueSleep()}`
    const { store, result } = await startJob(command)

    expect(result).toEqual({
      status: 'background',
      command,
      display: command,
      output: '',
      exitCode: null,
      signal: null,
      durationMs: expect.any(Number),
      outputBytes: 0,
      truncated: false,
      binary: false,
      pid: expect.any(Number),
      pgid: result.pid,
      jobId: expect.stringMatching(/^bash_[a-z0-9]{6,8}$/),
      outputFile: join(store.directory, result.jobId ?? '', 'output'),
      sandbox: 'unrestricted',
      enforced: [],
      survivors: [],
      usage: null,
      removedEnv: expect.any(Array),
    })
    expect(result.durationMs).toBeGreaterThan(0)
  })

  test('returns while the command runs', async () => {
    const marker = uniqueSleep()
    const { result } = await startJob(`sleep ${marker}`)

    expect(result.durationMs).toBeLessThan(10_000)
    expect(isAlive(result.pid ?? 0)).toBe(true)
    expect((await waitForSleep(marker)).map(({ pid }) => pid)).toEqual([result.pid])
  })

  test('has a start and a result, and no output', async () => {
    const events: BashEvent[] = []
    const { result } = await startJob('echo hi', {}, { onEvent: (event) => events.push(event) })
    await waitForStatusLine(result.outputFile)

    expect(events).toEqual([
      { type: 'start', command: 'echo hi', display: 'echo hi' },
      { type: 'result', result },
    ])
  })

  test('can be followed as a stream', async () => {
    const tool = createBashTool({ jobs: tempStore() })
    const types: string[] = []
    for await (const { type } of tool.stream({ command: 'true', mode: 'background' }, { workingDir: '/' })) {
      types.push(type)
    }

    expect(types).toEqual(['start', 'result'])
  })

  test('each job has an id, a process group and a file of its own', async () => {
    const jobs = tempStore()
    const tool = createBashTool({ jobs })
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        tool.execute({ command: `echo ${i}`, mode: 'background' }, { workingDir: '/' }),
      ),
    )
    const files = await Promise.all(results.map(({ outputFile }) => waitForStatusLine(outputFile)))

    expect(new Set(results.map(({ jobId }) => jobId)).size).toBe(8)
    expect(new Set(results.map(({ pgid }) => pgid)).size).toBe(8)
    expect(files).toEqual(results.map((_, i) => `${i}\n\n\n[background process completed]`))
  })
})

describe('the command', () => {
  test('is the leader of its process group and session, without a terminal and without input', async () => {
    const { result } = await startJob('ps -o pid=,pgid=,sid=,tty= -p $$; read x; echo $?')
    const [processes = '', read] = (await waitForStatusLine(result.outputFile)).split('\n')

    expect(processes.trim().split(/\s+/)).toEqual([`${result.pid}`, `${result.pid}`, `${result.pid}`, '?'])
    expect(read).toBe('1')
  })

  test('runs in the working directory, which PWD names', async () => {
    const workingDir = tempDir()
    const { result } = await startJob('pwd; echo "$PWD"', {}, { workingDir })

    expect(await waitForStatusLine(result.outputFile)).toContain(`${workingDir}\n${workingDir}\n`)
  })

  test('gets the environment of the options, without secrets', async () => {
    process.env.TEST_API_KEY = 'secret-value'
    try {
      const { result } = await startJob('echo "$GREETING $TEST_API_KEY"', {
        env: { set: { GREETING: 'hello' } },
      })

      expect(await waitForStatusLine(result.outputFile)).toMatch(/^hello \n/)
      expect(result.removedEnv).toContain('TEST_API_KEY')
    } finally {
      delete process.env.TEST_API_KEY
    }
  })

  test('runs under the limits of the options', async () => {
    expect(await fileOfJob('ulimit -n', { limits: { openFiles: 32 } })).toMatch(/^32\n/)
  })

  test('may be long', async () => {
    expect(await fileOfJob(`${'#'.repeat(200_000)}\necho "$0 done"`)).toMatch(/^bash done\n/)
  })
})

describe('a directory that cannot be used', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'a file',
      () => join(__filename),
      /^\[system error: check \S+: ENOTDIR \(not a directory\): must be a directory\]$/,
    ],
    [
      'below a file',
      () => join(__filename, 'jobs'),
      /^\[system error: stat \S+: ENOTDIR \(not a directory\)\]$/,
    ],
    [
      'where nothing can be made',
      () => '/proc/bashward/jobs',
      /^\[system error: mkdir \/proc\/bashward\/jobs\S*: ENOENT \(no such file or directory\)\]$/,
    ],
    [
      'writable by others',
      () => {
        const directory = tempDir()
        chmodSync(directory, 0o777)
        return directory
      },
      /^\[system error: check \/\S+: EPERM \(operation not permitted\): its mode \d+ lets others write to it \(allowed: 0700\)\]$/,
    ],
  ])('%s: a clear error, and nothing ran', async (_, directory, expected) => {
    const ran = join(tempDir(), 'ran')
    const jobs = new JobStore({ directory: directory() })
    const { result, text } = await startJob(`touch '${ran}'`, { jobs })

    expect(text).toMatch(expected)
    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_DIRECTORY' }, usage: null })
    expect(result).not.toHaveProperty('jobId')
    expect(existsSync(ran)).toBe(false)
  })

  test('no home directory: a clear error, and commands in the foreground work', async () => {
    const { HOME, XDG_STATE_HOME } = process.env
    delete process.env.XDG_STATE_HOME
    process.env.HOME = ''
    try {
      const tool = createBashTool()
      const background = await tool.execute({ command: 'true', mode: 'background' }, { workingDir: '/' })
      const foreground = await tool.execute({ command: 'echo on' }, { workingDir: '/' })

      expect(background).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_DIRECTORY' } })
      expect(tool.toText(background)).toContain('the home directory')
      expect(tool.toText(foreground)).toBe('on\n')
    } finally {
      Object.assign(process.env, { HOME, XDG_STATE_HOME })
    }
  })
})

describe('what does not run', () => {
  test.each<[string, BashToolOptions, Partial<ToolContext>, string]>([
    [
      'a missing working directory',
      {},
      { workingDir: '/nope' },
      '[system error: chdir /nope: ENOENT (no such file or directory)]',
    ],
    [
      'a missing shell',
      { shellPath: '/nope/bash' },
      {},
      '[system error: execve /nope/bash: ENOENT (no such file or directory)]',
    ],
    ['a cancel before it began', {}, { cancel: AbortSignal.abort() }, '[command cancelled]\n'],
  ])('%s: no job', async (_, options, context, expected) => {
    const ran = join(tempDir(), 'ran')
    const { store, text, result } = await startJob(`touch '${ran}'`, options, context)

    expect(text).toBe(expected)
    expect(result).not.toHaveProperty('jobId')
    expect(await store.list()).toEqual([])
    expect(existsSync(ran)).toBe(false)
  })

  test('a cancel after it began is too late: the job goes on', async () => {
    const controller = new AbortController()
    const { result } = await startJob('sleep 0.3; echo done', {}, { cancel: controller.signal })
    controller.abort()

    expect(await waitForStatusLine(result.outputFile)).toBe('done\n\n\n[background process completed]')
  })
})

describe('the record of the job', () => {
  test('says what runs, where, for whom, and until when', async () => {
    const command = `echo "é"; sleep ${uniqueSleep()}`
    const before = Date.now()
    const { store, result } = await startJob(
      command,
      { timeouts: { background: 60_000 }, maxJobOutputBytes: 300_000 },
      { conversationId: 'conversation 1', toolCallId: 'call 2', workingDir: '/usr' },
    )
    const { status, record } = await store.get(result.jobId ?? '')

    expect(status).toBe('running')
    expect(record).toMatchObject({
      id: result.jobId,
      command,
      workingDir: '/usr',
      conversationId: 'conversation 1',
      toolCallId: 'call 2',
      timeoutMs: 60_000,
      maxOutputBytes: 300_000,
      adopted: false,
      pid: result.pid,
      pgid: result.pgid,
    })
    expect(record?.createdAt).toBeGreaterThanOrEqual(before)
    expect(isAlive(record?.supervisor.pid ?? 0)).toBe(true)
  })

  test('belongs to its conversation', async () => {
    const jobs = tempStore()
    const tool = createBashTool({ jobs })
    for (const conversationId of ['a', 'b', undefined]) {
      await tool.execute({ command: 'true', mode: 'background' }, { workingDir: '/', conversationId })
    }
    const ofB = await jobs.list({ conversationId: 'b' })

    expect(ofB.map(({ record }) => record?.conversationId)).toEqual(['b'])
    expect(await jobs.list()).toHaveLength(3)
  })

  test('has the limit of 24 hours unless something else is asked for', async () => {
    const { store, result } = await startJob('true')

    expect((await store.get(result.jobId ?? '')).record?.timeoutMs).toBe(24 * 60 * 60 * 1000)
  })
})
