// A host that is killed takes no terminal with it: the suite of another one goes on, and knows what stands in the line.
import { join } from 'node:path'
import { killHosts, startHost } from '../../support/host.js'
import { endJobs, storeAt } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ttyCalls } from './tty-calls.js'

afterEach(async () => {
  killHosts()
  await endJobs()
})
afterAll(removeTempDirs)

test('another host goes on in the middle of a line', async () => {
  const directory = join(tempDir(), 'jobs')
  const store = storeAt(directory)
  const command = 'PS1="$ " exec bash --norc --noprofile -i'
  const host = startHost('tty-suite', { argument: { directory, command, pieces: ['rm', ' -rf'] } })
  const id = await host.report<string>('jobId')
  host.kill('SIGKILL')
  await host.exited()

  const { type, press } = ttyCalls({ jobs: store })
  expect((await type(id, ' /')).result).toMatchObject({
    status: 'rejected',
    rejection: { rule: 'rm-dangerous' },
  })
  await press(id, 'C-c')
  expect((await type(id, 'echo still here')).text).toContain('\nstill here\n')
  expect((await type(id, 'exit 7')).last).toBe('[failed: exit code 7]')
})
