// bashward jobs: where jobs listen.
import { killLeftovers } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, startJob } from './in-process.js'
import { jobsOfTest, killPrograms } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

test('the list, the output and the JSON of a job tell its ports', async () => {
  const program = 'require("net").createServer().listen(0, "127.0.0.1")'
  const id = await startJob(`echo ready; exec '${process.execPath}' -e '${program}'`)
  const [{ port } = { port: 0 }] = await waitFor(async () => (await jobsOfTest().get(id)).listening, {
    what: 'the server to listen',
    deadlineMs: 20_000,
  })
  try {
    expect((await bashward(['jobs'])).stdout).toContain(`\n${id} [listening: 127.0.0.1:${port}]\n`)
    expect((await bashward(['jobs', 'output', id])).stderr).toBe(
      `[running]\n[listening: 127.0.0.1:${port}]\n`,
    )
    expect(JSON.parse((await bashward(['jobs', '--json'])).stdout)).toMatchObject([
      { listening: [{ address: '127.0.0.1', port }] },
    ])
  } finally {
    await jobsOfTest().kill(id)
  }
})
