// Row 3: what ignores SIGTERM dies after the grace, whatever ends it. The contract of every tool: they only map it.
import { run } from '../../lib/index.js'
import { leaveNothing, liveJobs, textOf, waitForOutput } from '../commands/jobs-live/live-jobs.js'
import { startHost } from '../support/host.js'
import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../support/processes.js'

afterEach(leaveNothing)
afterEach(killLeftovers)

describe('row 3: a child ignores SIGTERM', () => {
  test('at the timeout it is killed after the default grace', async () => {
    const marker = uniqueSleep()
    const command = `(trap '' TERM; exec sleep ${marker}) & wait`
    const result = await run(command, { cwd: '/', timeout: 300 })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })

  test('a command that ends in the grace ends by its own trap', async () => {
    const marker = uniqueSleep()
    const command = `trap 'echo cleaned; exit 0' TERM; echo on; sleep ${marker} & wait`
    const result = await run(command, { cwd: '/', timeout: 500, termGraceMs: 10_000 })

    expect(result).toMatchObject({ status: 'timed_out', output: 'on\ncleaned\n' })
    expect(result.durationMs).toBeLessThan(9_000)
    expect(processesWith(marker)).toEqual([])
  })

  test('a stopped child is killed as well', async () => {
    const marker = uniqueSleep()
    const result = await run(`sleep ${marker} & kill -STOP $!; wait`, { cwd: '/', timeout: 500 })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })
})

/** bash and a child, both of which ignore it. */
const stubborn = (marker: string) => `trap '' TERM HUP; sleep ${marker} & echo on; wait`
/** A daemon beside them. */
const withDaemon = (marker: string) => `trap '' TERM; setsid -f sleep ${marker}; ${stubborn(marker)}`

const startJob = async (command: string, background = 86_400_000) => {
  const { store, start } = liveJobs({ termGraceMs: 300, timeouts: { background } })
  const job = await start(command)
  await waitForOutput(job.outputFile, 'on\n')
  return { store, ...job }
}

/** What ends it, and what is told then. */
const ends: [string, (marker: string) => Promise<unknown>, object][] = [
  [
    'the timeout of its call',
    (marker) => run(stubborn(marker), { cwd: '/', timeout: 500, termGraceMs: 100 }),
    { status: 'timed_out', output: 'on\n', signal: 'SIGKILL', survivors: [] },
  ],
  [
    'a cancel, with no grace',
    (marker) => {
      const { signal: cancelSignal, abort } = cancellation()
      return run(stubborn(marker), { cwd: '/', termGraceMs: 0, cancelSignal, onOutput: abort })
    },
    { status: 'cancelled', output: 'on\n', signal: 'SIGKILL', survivors: [] },
  ],
  [
    'the end of its bash, where survivors are killed',
    (marker) =>
      run(`(${withDaemon(marker)}) & sleep .2; exit 3`, { cwd: '/', survivors: 'kill', termGraceMs: 200 }),
    { status: 'failed', exitCode: 3, survivors: [] },
  ],
  [
    'a kill of its job',
    async (marker) => {
      const { store, id, outputFile } = await startJob(stubborn(marker))
      return { ...(await store.kill(id)), file: textOf(outputFile) }
    },
    { status: 'killed', file: 'on\n\n\n[background process killed: SIGKILL]' },
  ],
  [
    'the time limit of its job',
    async (marker) => {
      const { store, id, outputFile } = await startJob(withDaemon(marker), 1000)
      return { ...(await store.wait(id, { timeoutMs: 20_000 })), file: textOf(outputFile) }
    },
    {
      status: 'timed_out',
      signal: 'SIGKILL',
      file: 'on\n\n\n[background process timed out after 1s]',
    },
  ],
  [
    'SIGKILL to the bash of its job',
    async (marker) => {
      const { store, id, pid, outputFile } = await startJob(withDaemon(marker))
      process.kill(pid, 'SIGKILL')
      return { ...(await store.wait(id, { timeoutMs: 20_000 })), file: textOf(outputFile) }
    },
    { status: 'killed', signal: 'SIGKILL', file: 'on\n\n\n[background process killed: SIGKILL]' },
  ],
  [
    'SIGKILL to its host',
    async (marker) => {
      const host = startHost('run-commands', { argument: { commands: [{ command: stubborn(marker) }] } })
      await waitForSleep(marker)
      host.kill('SIGKILL')
      await waitUntilGone(marker, 2000)
      return await host.exited()
    },
    { code: null, signal: 'SIGKILL' },
  ],
]

const cancellation = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

describe('what ignores SIGTERM is gone after the grace', () => {
  test.each(ends)('that began with %s', async (_, end, told) => {
    const marker = uniqueSleep()

    expect(await end(marker)).toMatchObject(told)
    expect(processesWith(marker)).toEqual([])
  })
})
