// A host without a free descriptor cannot look at its jobs: that is an error, and tells nothing about the jobs.
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../../../lib/index.js'
import { startHost } from '../../support/host.js'
import { sleepsWith, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { leaveNothing, liveStore } from './live-jobs.js'

afterEach(leaveNothing)

test('a running job is neither lost nor removed, and running when there are descriptors again', async () => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  liveStore(directory)
  const host = startHost('jobs-without-descriptors', {
    argument: { directory, command: `exec sleep ${marker}` },
    prefix: ['bash', '-c', 'ulimit -n 100; exec "$0" "$@"'],
  })
  const { failures, after, waited } = await host.report<{
    failures: Record<string, object>
    after: Job
    waited: Job
  }>('result')

  const error = { code: 'ERR_JOB_DIRECTORY', errno: constants.errno.EMFILE, path: expect.any(String) }
  expect(failures).toEqual({ get: error, list: error, kill: error, cleanUp: error })
  expect(after).toMatchObject({ status: 'running' })
  expect(waited).toMatchObject({ status: 'running' })
  expect(sleepsWith(marker)).toHaveLength(1)
})
