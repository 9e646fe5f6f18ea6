// Row 20: the end of a background command is reported, and one that forked and exited can be killed.
import { createBashSuite } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const context = { workingDir: '/' }

const start = async (command: string) => {
  const jobs = tempStore()
  const suite = createBashSuite({ jobs })
  const { jobId = '' } = await suite.bash.execute({ command, run_in_background: true }, context)
  return { jobs, suite, id: jobId }
}

describe('row 20: the end of a background command', () => {
  test('`sleep 1; exit 7` has status 7', async () => {
    const { jobs, suite, id } = await start('sleep 1; exit 7')
    await jobs.wait(id, { timeoutMs: 20_000 })
    const result = await suite.bashOutput.execute({ bash_id: id }, context)

    expect(result).toMatchObject({ status: 'failed', exitCode: 7 })
    expect(suite.bashOutput.toText(result)).toBe('[failed: exit code 7]')
  })

  test.each([
    ['a child', 'sleep {} & exit 0'],
    ['a daemon', 'setsid -f sleep {}; exit 0'],
  ])('one that has left only %s is running, and killed in the grace', async (_, template) => {
    const marker = uniqueSleep()
    const { suite, id } = await start(template.replaceAll('{}', marker))
    await waitForSleep(marker)

    expect(await suite.bashOutput.execute({ bash_id: id }, context)).toMatchObject({ status: 'running' })
    const startedAt = performance.now()
    expect(await suite.killBash.execute({ bash_id: id }, context)).toEqual({ status: 'killed' })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(processesWith(marker)).toEqual([])
  })
})
