// A command that goes on as a job, side by side with one that is killed; and what is left when the host is killed meanwhile.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBashTool } from '../../../lib/index.js'
import { startHost } from '../../support/host.js'
import { waitForStatusLine } from '../../support/jobs.js'
import { sleepsWith, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveStore } from './live-jobs.js'

afterEach(leaveNothing)

test('of a command of five seconds a timeout loses what a hand-over keeps', async () => {
  const command = 'for ((i = 1; i <= 50; i++)); do echo $i; sleep 0.1; done; exit 7'
  const jobs = liveStore(join(tempDir(), 'jobs'))
  const context = { workingDir: '/' }
  const [killed, handedOver] = await Promise.all([
    createBashTool({ jobs, timeouts: { default: 1000 } }).execute({ command }, context),
    createBashTool({ jobs, backgroundAfter: 1000 }).execute({ command }, context),
  ])

  expect(killed).toMatchObject({ status: 'timed_out', exitCode: null })
  expect(killed.output).not.toContain('\n50\n')
  expect(handedOver).toMatchObject({ status: 'background', exitCode: null })
  const whole = Array.from({ length: 50 }, (_, i) => `${i + 1}\n`).join('')
  expect(whole.startsWith(handedOver.output)).toBe(true)
  expect(await waitForStatusLine(handedOver.outputFile)).toBe(
    `${whole}\n\n[background process failed: exit code 7]`,
  )
  expect(await jobs.get(handedOver.jobId ?? '')).toMatchObject({ status: 'failed', exitCode: 7 })
})

test('a host that is killed meanwhile leaves whole jobs, and nothing else', async () => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const argument = { directory, command: `exec sleep ${marker}`, count: 40 }
  const host = startHost('jobs-hand-over', { argument })
  const names = () => (existsSync(directory) ? readdirSync(directory) : [])
  const ids = () => names().filter((name) => name.startsWith('bash_'))
  await waitFor(() => ids().length > 2, { what: 'the first jobs', intervalMs: 1 })
  host.kill('SIGKILL')
  await host.exited()

  const isWhole = (id: string) => existsSync(join(directory, id, 'job.json'))
  await waitFor(() => ids().every(isWhole) && sleepsWith(marker).length === ids().length, {
    what: 'every command to be a job or gone',
  })
  for (const job of await store.list()) expect(job).toMatchObject({ status: 'running' })
})
