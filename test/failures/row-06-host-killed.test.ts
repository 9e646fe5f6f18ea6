// Row 6: a host that is killed takes its foreground commands with it, and no background job.
import type { BashResult } from '../../lib/commands/run/result.js'
import { killHosts, startHost } from '../support/host.js'
import { endJobs, tempStore, waitForStatusLine } from '../support/jobs.js'
import { killLeftovers, sleepsWith, uniqueSleep, waitForSleep, waitUntilGone } from '../support/processes.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('row 6: the host is killed while a command runs', () => {
  test.each([
    ['a plain command', 'sleep {}', 1],
    ['a command with a daemon', 'setsid -f sleep {}; sleep {}', 2],
  ])('%s is gone within two seconds', async (_, template, sleeps) => {
    const marker = uniqueSleep()
    const host = startHost('run-commands', {
      argument: { commands: [{ command: template.replaceAll('{}', marker) }] },
    })
    await waitForSleep(marker, sleeps)
    host.kill('SIGKILL')

    await waitUntilGone(marker, 2000)
    expect(await host.exited()).toEqual({ code: null, signal: 'SIGKILL' })
  })

  test('a background job lives on to its end, and its file says how that was', async () => {
    const [foreground, background] = [uniqueSleep(), uniqueSleep()]
    const store = tempStore()
    const host = startHost('jobs-start', {
      argument: {
        directory: store.directory,
        background: [`sleep ${background}; echo after; exit 7`],
        foreground: [`sleep ${foreground}`],
      },
    })
    const [job] = await host.report<BashResult[]>('started')
    await waitForSleep(foreground)
    await waitForSleep(background)
    host.kill('SIGKILL')
    await waitUntilGone(foreground, 2000)

    expect(await store.get(job?.jobId ?? '')).toMatchObject({ status: 'running' })
    for (const { pid } of sleepsWith(background)) process.kill(pid, 'SIGKILL')
    const file = await waitForStatusLine(job?.outputFile)
    expect(file).toMatch(/after\n\n\n\[background process failed: exit code 7\]$/)
  })
})
