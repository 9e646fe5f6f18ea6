// The job of survivors is planned when the shell has ended: after all that the command did.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../support/temp-dir.js'
import { leaveNothing, liveJobs } from './live-jobs.js'

afterEach(leaveNothing)

test('it dates from the call, not from its adoption', async () => {
  const { store, tool } = liveJobs()
  const ended = join(tempDir(), 'ended')
  const command = `sleep .2; : >${ended}; sleep 300 &`
  const { jobId = '' } = await tool.execute({ command }, { workingDir: '/' })

  const { record } = await store.get(jobId)
  expect(record?.createdAt).toBeLessThanOrEqual(statSync(ended).mtimeMs)
  await store.kill(jobId)
})

test('a command that makes its directory unusable leaves its survivors listed, and no job', async () => {
  const { directory, tool } = liveJobs()
  const command = `mkdir -p ${directory} && chmod 777 ${directory}; sleep 300 &`
  const result = await tool.execute({ command }, { workingDir: '/' })

  expect(result).toMatchObject({ status: 'completed', survivors: [{ command: 'sleep 300' }] })
  expect(result.jobId).toBeUndefined()
  for (const { pid } of result.survivors) process.kill(pid)
})

test('a command that leaves nothing makes no directory', async () => {
  const { directory, tool } = liveJobs()
  await tool.execute({ command: 'sleep 0 & wait' }, { workingDir: '/' })

  expect(() => statSync(directory)).toThrow('ENOENT')
})
