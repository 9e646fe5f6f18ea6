// bashward jobs explain: what the processes of a job wait for.
import { killLeftovers, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, runJob, startJob } from './in-process.js'
import { jobsOfTest, killPrograms } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

const explain = (...words: string[]) => bashward(['jobs', 'explain', ...words])

test('tells it in a line for each process', async () => {
  const marker = uniqueSleep()
  const id = await startJob(`sleep ${marker}; true`)
  const [sleep] = await waitForSleep(marker)
  const told = await waitFor(
    async () => {
      const exit = await explain(id)
      return exit.stdout.includes('asleep') ? exit : undefined
    },
    { what: 'the job to sleep' },
  )

  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(told.stdout).toMatch(
    new RegExp(`^${sleep?.pid} \\(sleep ${marker}\\): asleep for \\d+ more seconds.*\\n$`),
  )
})

test('of jobs that end at that moment nothing is waited for', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await startJob('true')
    const { code, stdout } = await explain(id)

    expect(code).toBe(0)
    expect(stdout).not.toContain('none of its processes')
  }
})

test('gives JSON', async () => {
  const marker = uniqueSleep()
  const id = await startJob(`sleep ${marker}; true`)
  await waitForSleep(marker)
  const { code, stdout } = await explain('--json', id)

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([{ command: `sleep ${marker}` }])
})

test('of a job that has ended it says how', async () => {
  const id = await runJob('exit 7')

  expect(await explain(id)).toMatchObject({ code: 0, stdout: `${id} is not running: failed: exit code 7\n` })
  expect(await explain('--json', id)).toMatchObject({ code: 0, stdout: '[]\n' })
  expect(await jobsOfTest().explain(id)).toEqual([])
})

test('an id that is unknown is 1, and none is 125', async () => {
  expect(await explain('bash_zzzzzz')).toMatchObject({ code: 1, stdout: '' })
  expect(await explain()).toMatchObject({
    code: 125,
    stderr: expect.stringContaining("'explain' needs the id of a job"),
  })
})
