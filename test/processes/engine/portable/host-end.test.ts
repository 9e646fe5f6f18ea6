// What becomes of commands on the portable engine when their host is gone: only a helper is left to end them.
import type { BashResult } from '../../../../lib/commands/run/result.js'
import { killHosts, runHost, startHost } from '../../../support/host.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../../../support/processes.js'
import { waitFor } from '../../../support/wait-for.js'

afterEach(killHosts)
afterEach(killLeftovers)

const env = { ...process.env, BASHWARD_ENGINE: 'portable' }

const hostWith = async (command: string, marker: string, count: number) => {
  const host = startHost('run-commands', { argument: { commands: [{ command }] }, env })
  await waitForSleep(marker, count)
  return host
}

test('a command that ignores SIGTERM is killed when its host is', async () => {
  const marker = uniqueSleep()
  const host = await hostWith(`trap "" TERM; sleep ${marker} & sleep ${marker}; sleep ${marker}`, marker, 2)
  host.kill('SIGKILL')

  await waitFor(() => processesWith(marker).length === 0, { what: 'the command to end' })
})

test('a host whose helper was killed goes on, with another', async () => {
  // The brackets keep the shell itself from being found.
  const command = `kill -KILL $(pgrep -P $PPID -f 'bashward-helpe[r] ') && echo killed`
  const commands = [{ command }, { command: 'echo on' }]
  const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
    argument: { commands },
    env,
  })

  expect(results.map(({ output }) => output)).toEqual(['killed\n', 'on\n'])
})
