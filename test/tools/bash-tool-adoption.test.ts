// Processes that a command leaves running become a job: the result names it, and their output goes on into its file.
import { join } from 'node:path'
import { type BashResult, createBashTool, run } from '../../lib/index.js'
import { endJobs, tempStore, waitForOutput, waitForStatusLine } from '../support/jobs.js'
import {
  isAlive,
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { callWithStore, sleepChild } from './left-running.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('adopt, the default', () => {
  test('the result names the job, its file, and the processes', async () => {
    const marker = uniqueSleep()
    const { store, result, text } = await callWithStore(`${sleepChild(marker)}; echo done`)
    const [sleep] = await waitForSleep(marker)

    expect(result).toMatchObject({
      status: 'completed',
      exitCode: 0,
      output: 'done\n',
      jobId: expect.stringMatching(/^bash_[a-z0-9]{6,8}$/),
      outputFile: join(store.directory, result.jobId ?? '', 'output'),
      survivors: [{ pid: sleep?.pid, command: `sleep ${marker}`, daemon: false }],
    })
    expect(result.pgid).toBe(result.pid)
    expect(text).toBe(
      `done\n[still running as job ${result.jobId}: ${sleep?.pid} (sleep ${marker}); ` +
        `output goes on in ${result.outputFile}; to stop: kill -9 -${result.pgid}]`,
    )
  })

  test('the ports are named on which a daemon listens', async () => {
    const ready = join(tempDir(), 'ready')
    const server = `require("net").createServer().listen(0, "127.0.0.1", () => require("fs").writeFileSync("${ready}", ""))`
    const command = `setsid -f '${process.execPath}' -e '${server}' </dev/null >/dev/null 2>&1
until [ -e ${ready} ]; do sleep .01; done`
    const { store, result, text } = await callWithStore(command)
    const [{ port } = { port: 0 }] = result.listening ?? []

    expect(result).toMatchObject({ status: 'completed', survivors: [{ daemon: true }] })
    expect(port).toBeGreaterThan(0)
    expect(text).toMatch(
      new RegExp(`\\[still running as job .*\\]\\n\\[listening: 127\\.0\\.0\\.1:${port}\\]$`),
    )
    expect(await store.kill(result.jobId ?? '')).toEqual({ status: 'killed' })
  })

  test('output goes on into the file, and ends with a status line', async () => {
    const { result } = await callWithStore('(sleep 1; echo later; echo too >&2) & echo now')

    expect(result.output).toBe('now\n')
    expect(await waitForStatusLine(result.outputFile)).toBe('later\ntoo\n\n\n[background process completed]')
  })

  test('nothing is lost between the result and the file', async () => {
    const { result } = await callWithStore(
      '(for ((i = 0; i < 100; i++)); do echo $i; sleep 0.005; done) & echo now',
    )
    const file = await waitForStatusLine(result.outputFile)
    const printed = result.output.replace('now\n', '') + file.replace(/\n\n\[background.*$/, '')

    expect(printed).toBe(Array.from({ length: 100 }, (_, i) => `${i}\n`).join(''))
  })

  test('separate streams go on into one file', async () => {
    const stateHome = tempDir()
    const before = process.env.XDG_STATE_HOME
    process.env.XDG_STATE_HOME = stateHome
    try {
      const command = '(sleep 1; echo out; echo err >&2) & echo now'
      const result = await run(command, { cwd: '/', streams: 'separate' })

      expect(result).toMatchObject({ stdout: 'now\n', stderr: '' })
      expect(result.outputFile).toBe(join(stateHome, 'bashward/jobs', result.jobId ?? '', 'output'))
      const file = await waitForStatusLine(result.outputFile)
      expect(
        file
          .replace(/\n\n\[.*$/, '')
          .split('\n')
          .sort(),
      ).toEqual(['', 'err', 'out'])
    } finally {
      process.env.XDG_STATE_HOME = before
    }
  })

  test('the store lists it as what it is', async () => {
    const command = `${sleepChild(uniqueSleep())}; echo done`
    const { store, result } = await callWithStore(
      command,
      {},
      { conversationId: 'a', toolCallId: 'b', workingDir: '/usr' },
    )
    const jobs = await store.list({ conversationId: 'a' })

    expect(jobs).toHaveLength(1)
    expect(jobs[0]).toMatchObject({
      id: result.jobId,
      status: 'running',
      outputFile: result.outputFile,
      record: {
        command,
        workingDir: '/usr',
        conversationId: 'a',
        toolCallId: 'b',
        adopted: true,
        timeoutMs: 0,
        pid: result.pid,
        pgid: result.pgid,
      },
    })
    expect(isAlive(jobs[0]?.record?.supervisor.pid ?? 0)).toBe(true)
  })

  test('the store kills it', async () => {
    const marker = uniqueSleep()
    const { store, result } = await callWithStore(`sleep ${marker} & sleep ${marker} & echo done`)

    expect(await store.kill(result.jobId ?? '')).toEqual({ status: 'killed' })
    expect(processesWith(marker)).toEqual([])
    expect(await waitForStatusLine(result.outputFile)).toMatch(
      /\[background process killed: SIG(TERM|KILL)\]$/,
    )
  })

  test.each([
    ['children', 'sleep {} & sleep {} & echo done'],
    ['children in other groups and sessions', 'set -m; sleep {} & setsid sleep {} & sleep {} & echo done'],
    ['helpers that give way to others', '(while :; do sleep 0.05; done; : {}) & echo done'],
    ['a loop in a session of its own', "setsid bash -c 'while :; do sleep 0.05; done; : {}' & echo done"],
  ])('the command that the text names ends all of it: %s', async (_, template) => {
    const marker = uniqueSleep()
    const { store, result, text } = await callWithStore(template.replaceAll('{}', marker))
    const [, kill = ''] = /; to stop: (kill -9 -\d+)\]$/.exec(text) ?? []
    const killed = await createBashTool({ jobs: store }).execute({ command: kill }, { workingDir: '/' })

    expect(killed).toMatchObject({
      status: 'completed',
      output: `[job ${result.jobId} (process group ${result.pgid}) was killed by the job store]`,
    })
    expect(processesWith(marker)).toEqual([])
    expect(await store.get(result.jobId ?? '')).toMatchObject({ status: 'killed' })
  })

  test('`kill -9 -PGID` of another conversation is the command that it says', async () => {
    const marker = uniqueSleep()
    const { store, result } = await callWithStore(`sleep ${marker} & echo done`, {}, { conversationId: 'a' })
    const tool = createBashTool({ jobs: store })
    const context = { workingDir: '/', conversationId: 'b' }

    const killed = await tool.execute({ command: `kill -9 -${result.pgid}` }, context)
    expect(killed).toMatchObject({ status: 'completed', output: '' })
    await waitUntilGone(marker)
  })

  test('a failure with survivors is a failure, and its job as well', async () => {
    const marker = uniqueSleep()
    const { store, result, text } = await callWithStore(`${sleepChild(marker)}; false`)

    expect(result).toMatchObject({ status: 'failed', exitCode: 1, jobId: expect.any(String) })
    expect(text).toMatch(/^\[command failed: exit code 1\]\n\[still running as job [^\n]*\]$/)
    for (const { pid } of await waitForSleep(marker)) process.kill(pid, 'SIGKILL')
    expect(await waitForStatusLine(result.outputFile)).toBe('\n\n[background process failed: exit code 1]')
    expect(await store.get(result.jobId ?? '')).toMatchObject({ status: 'failed', exitCode: 1 })
  })

  test('when bash is killed its children are adopted all the same', async () => {
    const marker = uniqueSleep()
    const { store, result } = await callWithStore(`${sleepChild(marker)}; kill -9 $$`)

    expect(result).toMatchObject({ status: 'failed', signal: 'SIGKILL', jobId: expect.any(String) })
    expect(await store.get(result.jobId ?? '')).toMatchObject({ status: 'running' })
    expect(processesWith(marker)).not.toEqual([])
  })

  test('has no time limit: that is for jobs that were started as such', async () => {
    const options = { timeouts: { default: 30_000, background: 1 } }
    const { store, result } = await callWithStore(`${sleepChild(uniqueSleep())}; echo done`, options)

    expect(await store.get(result.jobId ?? '')).toMatchObject({ status: 'running', record: { timeoutMs: 0 } })
  })

  test('its file stays below its allowed size', async () => {
    const { result } = await callWithStore('(sleep 1; seq 100000) & echo now', { maxJobOutputBytes: 262_144 })
    const file = await waitForStatusLine(result.outputFile)

    expect(file.length).toBeLessThanOrEqual(262_144)
    expect(file).toMatch(/\n\n\[\d+ bytes dropped\]\n\n/)
    expect(file).toMatch(/\n99999\n100000\n\n\n\[background process completed\]$/)
  })

  test('the event and the stream have the same result', async () => {
    const jobs = tempStore()
    const tool = createBashTool({ jobs })
    let streamed: BashResult | undefined
    const command = `${sleepChild(uniqueSleep())}; echo done`
    for await (const event of tool.stream({ command }, { workingDir: '/' })) {
      if (event.type === 'result') streamed = event.result
    }

    expect((await jobs.list()).map(({ id }) => id)).toEqual([streamed?.jobId])
  })
})

test('the output of a job can be read while it runs', async () => {
  const marker = uniqueSleep()
  const { store, result } = await callWithStore(`(sleep 1; echo later; exec sleep ${marker}) & echo now`)
  await waitForOutput(result.outputFile, 'later\n')

  expect(await store.read(result.jobId ?? '')).toMatchObject({ status: 'running', output: 'later\n' })
})
