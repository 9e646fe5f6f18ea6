// What store.watch() refuses, and that it then leaves nothing behind.
import { readdirSync } from 'node:fs'
import { JobStore, type WatchJobsOptions } from '../../../../lib/index.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { jobsDirectory } from '../job-files.js'

afterEach(removeTempDirs)

test.each([
  [{ consumer: '' }, 'ERR_INVALID_INPUT', 'options.consumer'],
  [{ consumer: 'x'.repeat(1001) }, 'ERR_INVALID_INPUT', 'options.consumer'],
  [{ consumer: '\ud800' }, 'ERR_INVALID_INPUT', 'options.consumer'],
  [{ match: 'x' }, 'ERR_INVALID_INPUT', 'options.match'],
  [{ match: '(?=x)', jobId: 'bash_aaaaaa' }, 'ERR_INVALID_FILTER', 'match'],
  [{ quietAfterMs: 1 }, 'ERR_INVALID_INPUT', 'options.quietAfterMs'],
  [{ consumers: 'x' }, 'ERR_INVALID_INPUT', 'consumer'],
  [{ jobId: 'bash_aaaaaa' }, 'ERR_JOB_NOT_FOUND', 'bash_aaaaaa'],
  [{ jobId: '../../x' }, 'ERR_JOB_NOT_FOUND', 'x'],
] as [WatchJobsOptions, string, string][])('%j is refused', async (options, code, word) => {
  const root = jobsDirectory()
  const events = new JobStore({ directory: root }).watch(options)
  const message = expect.stringContaining(word)
  await expect(events.next()).rejects.toMatchObject({ name: 'BashError', code, message })
  expect(readdirSync(root)).toEqual([])
})

test('a signal that is aborted already ends it at once, without an error', async () => {
  const store = new JobStore({ directory: jobsDirectory() })
  const events = store.watch({ consumer: 'a', signal: AbortSignal.abort() })
  expect(await events.next()).toEqual({ done: true, value: undefined })
})
