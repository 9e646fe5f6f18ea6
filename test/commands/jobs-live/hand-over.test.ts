// A command that takes longer than `backgroundAfter` goes on as a background job, and nothing of it is lost.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  BashSession,
  type BashToolOptions,
  createBashSuite,
  createBashTool,
  type JobStore,
  run,
} from '../../../lib/index.js'
import type { ToolContext } from '../../../lib/tools/types.js'
import { endJobs, storeAt, tempStore, waitForStatusLine } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep, waitUntilGone } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const backgroundAfter = 100
/** Where it has to have printed something before: bash takes its time on a busy machine. */
const later = { backgroundAfter: 1000 }

/** What a command waits for before it goes on. */
class Gate {
  readonly #file = join(tempDir(), 'gate')
  readonly command = `until [ -e ${this.#file} ]; do sleep .01; done`
  open(): void {
    writeFileSync(this.#file, '')
  }
}

interface Called {
  store: JobStore
  result: BashResult
  text: string
}

const call = async (
  command: string,
  options: BashToolOptions = {},
  context: Partial<ToolContext> = {},
): Promise<Called> => {
  const store = tempStore()
  const tool = createBashTool({ jobs: store, backgroundAfter, ...options })
  const result = await tool.execute({ command }, { workingDir: '/', ...context })
  return { store, result, text: tool.toText(result) }
}

describe('a command that takes longer', () => {
  test('tells where it listens', async () => {
    const server = `exec '${process.execPath}' -e 'require("net").createServer().listen(0, "127.0.0.1")'`
    const { result, text } = await call(server, { backgroundAfter: 6000 })
    const [{ port } = { port: 0 }] = result.listening ?? []

    expect(port).toBeGreaterThan(0)
    expect(text.endsWith(`\n[none]\n[listening: 127.0.0.1:${port}]`)).toBe(true)
  })

  test('is a job with everything it has printed and prints', async () => {
    const gate = new Gate()
    const { store, result } = await call(`echo early; ${gate.command}; echo late; exit 3`, later)
    expect(result).toMatchObject({
      status: 'background',
      output: 'early\n',
      exitCode: null,
      usage: null,
      backgroundAfterMs: 1000,
      outputFile: join(store.directory, result.jobId ?? '', 'output'),
    })
    const [job] = await store.list()
    expect(job).toMatchObject({ id: result.jobId, status: 'running' })
    expect(job?.record).toMatchObject({ adopted: false, timeoutMs: 30_000, pid: result.pid })
    gate.open()
    expect(await waitForStatusLine(result.outputFile)).toBe(
      'early\nlate\n\n\n[background process failed: exit code 3]',
    )
    expect(await store.read(result.jobId ?? '')).toMatchObject({ status: 'failed', exitCode: 3 })
  })

  test('is said not to have finished', async () => {
    const { result, text } = await call('echo early; sleep 300', later)
    expect(text).toBe(
      `[STILL RUNNING after 1s: the command has NOT finished. It goes on as background job ${result.jobId}. Do not run it again]
<pid>${result.pid}</pid>
<output_file>${result.outputFile}</output_file>
<reminder>To stop: kill -9 -${result.pgid}</reminder>
Output so far:
early
`,
    )
  })

  test('keeps the rest of its time limit', async () => {
    const { result, store } = await call('sleep 300', { timeouts: { default: 600 }, termGraceMs: 0 })
    expect(result.status).toBe('background')
    expect(await waitForStatusLine(result.outputFile)).toContain('timed out after 600ms')
    expect(await store.read(result.jobId ?? '')).toMatchObject({ status: 'timed_out' })
  })

  test('is found and killed by its process group', async () => {
    const marker = uniqueSleep()
    const { result, store } = await call(`sleep ${marker}`)
    await store.kill(result.jobId ?? '')
    await waitUntilGone(marker)
  })

  test('leaves nothing to its session, and the text says so', async () => {
    const session = new BashSession({ workingDir: '/' })
    const gate = new Gate()
    const { result, text } = await call(`cd /tmp; ${gate.command}`, {}, { session })
    expect(text).toContain('[session state not saved: the command goes on as a job, and leaves nothing')
    gate.open()
    await waitForStatusLine(result.outputFile)
    expect((await call('pwd', {}, { session })).result.output).toBe('/\n')
  })

  test('has the whole in the file where output is saved', async () => {
    const gate = new Gate()
    const command = `seq 100000; ${gate.command}; echo late`
    const { result } = await call(command, { saveOutput: true, backgroundAfter: 4000 })
    expect(result).toMatchObject({ status: 'background', truncated: true })
    expect(result.savedOutput).toBeUndefined()
    gate.open()
    const numbers = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('')
    expect(await waitForStatusLine(result.outputFile)).toBe(
      `${numbers}late\n\n\n[background process completed]`,
    )
  })

  test('leaves the file of its output where that could not hold all of it', async () => {
    const saveOutput = { directory: tempDir(), maxBytes: 128 * 1024 }
    const command = 'seq 100000; sleep 300'
    const { result, text } = await call(command, { saveOutput, backgroundAfter: 4000 })
    expect(result).toMatchObject({ status: 'background', truncated: true, savedOutputBytes: 128 * 1024 })
    expect(text).toContain(`[first 128.0KB of the output saved: ${result.savedOutput}]`)
    expect(readFileSync(result.savedOutput ?? '', 'utf8')).toMatch(/^1\n2\n3\n/)
    expect(readFileSync(result.outputFile ?? '', 'utf8')).toMatch(/\n\[\d+ bytes dropped\]\n.*\n100000\n$/s)
  })
})

testRestricted('a confined command stays confined, and its record says how', async () => {
  const gate = new Gate()
  const command = `${gate.command}; echo x >/tmp/denied`
  const { result, store } = await call(command, { scratch: true }, { sandbox: 'restricted' })
  expect(result).toMatchObject({ status: 'background', sandbox: 'restricted' })
  expect(result.enforced).toContain('filesystem')
  const [job] = await store.list()
  expect(job?.record?.sandbox).toMatchObject({ name: 'restricted' })
  gate.open()
  expect(await waitForStatusLine(result.outputFile)).toMatch(/Read-only|denied/)
  expect(existsSync(job?.record?.sandbox?.scratchDirectory ?? '/')).toBe(false)
})

test('a command that is cancelled meanwhile is cancelled, and no job of it runs', async () => {
  for (const delayMs of [95, 100, 101, 102, 105, 110]) {
    const marker = uniqueSleep()
    const cancel = new AbortController()
    const timer = setTimeout(() => cancel.abort(), delayMs)
    const { result, store } = await call(`sleep ${marker}`, { termGraceMs: 0 }, { cancel: cancel.signal })
    clearTimeout(timer)
    expect(['cancelled', 'background']).toContain(result.status)
    if (result.status === 'background') await store.kill(result.jobId ?? '')
    await waitUntilGone(marker)
    for (const { status } of await store.list()) expect(status).toBe('killed')
  }
})

describe('a command that does not', () => {
  test('is no job when it ends before', async () => {
    const { store, result } = await call('echo done', { backgroundAfter: 20_000 })
    expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
    expect(existsSync(store.directory)).toBe(false)
  })

  test('times out when its time limit is not longer', async () => {
    const { result } = await call('sleep 300', { timeouts: { default: 100 } })
    expect(result).toMatchObject({ status: 'timed_out', timeoutMs: 100 })
  })
})

describe('when there can be no job', () => {
  test('the command ends in the foreground, and the text says why it did', async () => {
    const gate = new Gate()
    const directory = join(tempDir(), 'file')
    writeFileSync(directory, '')
    const tool = createBashTool({ jobs: storeAt(join(directory, 'jobs')), backgroundAfter })
    setTimeout(() => gate.open(), 500)
    const command = `echo early; ${gate.command}; echo late`
    const result = await tool.execute({ command }, { workingDir: '/' })
    expect(result).toMatchObject({ status: 'completed', output: 'early\nlate\n', exitCode: 0 })
    expect(tool.toText(result)).toMatch(/^early\nlate\n\[did not go on in the background: .*ENOTDIR/)
  })
})

test('the suite names the job for its other tools', async () => {
  const store = tempStore()
  const { bash, bashOutput } = createBashSuite({ jobs: store, backgroundAfter })
  const context = { workingDir: '/', conversationId: 'a' }
  const gate = new Gate()
  const result = await bash.execute({ command: `echo early; ${gate.command}; echo late` }, context)
  expect(bash.toText(result)).toContain(`<bash_id>${result.jobId}</bash_id>\n<reminder>To read its output`)
  gate.open()
  const read = await bashOutput.execute({ bash_id: result.jobId ?? '', wait_ms: 20_000 }, context)
  expect(read).toMatchObject({ status: 'completed', output: 'early\nlate\n' })
})

describe('run()', () => {
  test('makes it a job of the user', async () => {
    const before = process.env.XDG_STATE_HOME
    process.env.XDG_STATE_HOME = tempDir()
    try {
      const result = await run('echo early; sleep 300', { cwd: '/', ...later })
      expect(result).toMatchObject({ status: 'background', output: 'early\n' })
      const store = storeAt(join(process.env.XDG_STATE_HOME, 'bashward', 'jobs'))
      expect((await store.list()).map(({ id }) => id)).toEqual([result.jobId])
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME
      else process.env.XDG_STATE_HOME = before
    }
  })

  test('refuses it for separate streams', async () => {
    const options = { cwd: '/', backgroundAfter, streams: 'separate' } as const
    await expect(run('true', options)).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: "backgroundAfter: must be left out with streams: 'separate' (got 100)",
    })
  })
})

test('descriptions tell the model of it', () => {
  const options = { jobs: tempStore(), backgroundAfter: 10_000 }
  for (const tool of [createBashTool(options), createBashSuite(options).bash]) {
    expect(tool.description({ workingDir: '/' })).toContain(
      'A command that still runs after 10s goes on in the background, and the result says so.',
    )
  }
  const withoutIt = createBashTool({ jobs: tempStore() }).description({ workingDir: '/' })
  expect(withoutIt).not.toContain('still runs after')
})
