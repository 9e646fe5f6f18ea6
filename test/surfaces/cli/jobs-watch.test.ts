// bashward jobs watch: it tells of each end as it happens, and a consumer of each end once.
import { waitFor } from '../../support/wait-for.js'
import { bashward, startJob } from './in-process.js'
import { jobsOfTest, killPrograms, startBashward } from './program.js'

afterEach(killPrograms)

test('with a job it tells of its lines and its end, and ends', async () => {
  const id = await startJob('echo ready; echo other; exit 3')
  const { code, stdout, stderr } = await bashward(['jobs', 'watch', id, '--match', '^ready'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/\[job bash_\w+ ended: exit code 3 after [\d.]+s; last lines:\nready\nother\]\n$/)
})

test('a consumer is told of an earlier end once, as JSON if that is wanted', async () => {
  const id = await startJob('echo out; exit 4')
  await jobsOfTest().wait(id)
  const watching = startBashward(['jobs', 'watch', '--consumer', 'a', '--json'])
  await waitFor(() => watching.stdout().endsWith('\n'), { what: 'an end' })
  expect(JSON.parse(watching.stdout())).toMatchObject({
    type: 'end',
    job: { id, exitCode: 4 },
    lines: ['out'],
  })
  const second = await bashward(['jobs', 'watch', '--consumer', 'a'])
  expect(second).toMatchObject({ code: 125, stderr: expect.stringContaining('consumer "a"') })
  watching.kill('SIGINT')
  expect(await watching.exited()).toMatchObject({ code: 130 })

  const later = startBashward(['jobs', 'watch', '--consumer', 'a'])
  const next = await startJob('exit 5')
  await waitFor(() => later.stdout().includes(next), { what: 'the next end' })
  later.kill('SIGINT')
  expect((await later.exited()).stdout).not.toContain(id)
})

test.each([
  [['watch', '--match', 'x'], '--match needs the id of a job'],
  [['list', '--consumer', 'a'], "--consumer goes with 'watch' only"],
  [['watch', 'bash_aaaaaa'], 'bash_aaaaaa'],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await bashward(['jobs', ...words])
  expect(code).toBe(words.length === 2 && words[0] === 'watch' ? 1 : 125)
  expect(stderr).toContain(message)
})
