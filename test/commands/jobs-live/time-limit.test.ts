// A background job that runs longer than it may is killed by its supervisor, with everything it has started.
import { sleepsWith, uniqueSleep } from '../../support/processes.js'
import { leaveNothing, liveJobs, textOf } from './live-jobs.js'

afterEach(leaveNothing)

test.each([
  [700, '700ms'],
  [1000, '1s'],
])('a limit of %i ms', async (background, shown) => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs({ timeouts: { background } })
  const { id, outputFile } = await start(`echo on; sleep ${marker}`)

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({
    status: 'timed_out',
    exitCode: null,
    signal: 'SIGTERM',
    record: { timeoutMs: background },
  })
  expect(sleepsWith(marker)).toEqual([])
  expect(textOf(outputFile)).toBe(`on\n\n\n[background process timed out after ${shown}]`)
})
