// However the host ends, its foreground commands end with it; and it ends by itself when none runs.
import { type HostExit, killHosts, runHost, startHost } from '../support/host.js'
import {
  daemonAndChild,
  isAlive,
  killLeftovers,
  sleepsWith,
  uniqueSleep,
  waitUntilGone,
} from '../support/processes.js'

afterEach(killHosts)
afterEach(killLeftovers)

describe('while a command runs', () => {
  test.each<[string, string, HostExit]>([
    ['process.exit()', 'exit', { code: 0, signal: null }],
    ['an uncaught exception', 'exception', { code: 1, signal: null }],
    ['an unhandled rejection', 'rejection', { code: 1, signal: null }],
  ])('%s ends the host and the command', async (_, ending, exit) => {
    const marker = uniqueSleep()
    const host = startHost('end-while-running', { argument: { command: daemonAndChild(marker), ending } })

    expect(await host.exited()).toEqual(exit)
    expect(await host.report('output')).toBe('on\n')
    await waitUntilGone(marker)
  })

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends the host and the command',
    async (signal) => {
      const marker = uniqueSleep()
      const host = startHost('end-while-running', {
        argument: { command: daemonAndChild(marker), ending: 'wait' },
      })
      await host.report('output')
      host.kill(signal)

      expect(await host.exited()).toEqual({ code: null, signal })
      await waitUntilGone(marker)
    },
  )
})

describe('when no command runs', () => {
  test('the host ends by itself once its last command has ended, and not before', async () => {
    const host = startHost('run-commands', { argument: { commands: [{ command: 'sleep 0.3; echo done' }] } })

    expect(await host.exited()).toEqual({ code: 0, signal: null })
    expect(await host.report('result')).toMatchObject({
      results: [{ status: 'completed', output: 'done\n' }],
    })
    expect(host.stderr()).toBe('')
  })

  test('the host ends by itself after a timeout', async () => {
    const host = startHost('run-commands', {
      argument: { commands: [{ command: 'sleep 30', options: { timeout: 100 } }] },
    })

    expect(await host.exited()).toEqual({ code: 0, signal: null })
    expect(await host.report('result')).toMatchObject({ results: [{ status: 'timed_out' }] })
  })

  test('a survivor does not keep the host, and the end of the host does not end the survivor', async () => {
    const marker = uniqueSleep()
    const command = `setsid -f sleep ${marker} </dev/null >/dev/null 2>&1`
    const { results } = await runHost<{ results: [{ survivors: { pid: number }[] }] }>('run-commands', {
      argument: { commands: [{ command }] },
    })

    expect(results[0].survivors).toHaveLength(1)
    expect(isAlive(results[0].survivors[0]?.pid ?? 0)).toBe(true)
    expect(sleepsWith(marker)).toHaveLength(1)
  })
})
