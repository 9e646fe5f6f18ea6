// failures.md, row 6: a host that is killed takes its foreground commands with it.
import { killHosts, startHost } from '../support/host.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../support/processes.js'

afterEach(killHosts)
afterEach(killLeftovers)

describe('row 6: the host is killed while a command runs', () => {
  test.each([
    ['a plain command', 'sleep {}', 1],
    ['a command that ignores SIGTERM and SIGHUP', "trap '' TERM HUP; sleep {}; sleep {}", 1],
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
})
