// A wall clock that jumps by a year: deadlines are by the monotonic clock, and a job that runs is never too old.
import type { BashResult, Job } from '../../lib/index.js'
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(removeTempDirs)

interface Outcome {
  plain: BashResult
  timedOut: BashResult
  session: BashResult
  finished: Job
  removed: number
  running: string
  killed: { status: string }
  looks: number
}

test('commands, sessions and jobs are as ever while the wall clock jumps', async () => {
  const marker = uniqueSleep()
  const outcome = await runHost<Outcome>('jumping-clock', { argument: { directory: tempDir(), marker } })

  const { plain, timedOut, session } = outcome
  expect(plain).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(timedOut).toMatchObject({ status: 'timed_out', timeoutMs: 200 })
  for (const { durationMs } of [plain, timedOut]) {
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(durationMs).toBeLessThan(3_600_000)
  }
  expect(session).toMatchObject({ status: 'completed', output: 'value\n' })
  expect(outcome.finished).toMatchObject({ status: 'completed', exitCode: 0 })
  expect(outcome).toMatchObject({ removed: 2, running: 'running', killed: { status: 'killed' } })
  expect(processesWith(marker)).toEqual([])
  // Otherwise nothing was tested.
  expect(outcome.looks).toBeGreaterThan(3)
}, 120_000)
