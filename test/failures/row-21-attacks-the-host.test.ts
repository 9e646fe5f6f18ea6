// Row 21: a command that signals its parents, its group or itself does not hurt the host.
import type { BashResult } from '../../lib/commands/run/result.js'
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'

afterEach(killHosts)
afterEach(killLeftovers)

/** Runs the command in a host of its own, and another one after it: the host must be alive and able to work. */
const attack = async (command: string, timeout = 30_000): Promise<BashResult> => {
  const commands = [{ command, options: { timeout } }, { command: 'echo alive' }]
  const { results } = await runHost<{ results: BashResult[] }>('run-commands', { argument: { commands } })
  const [result, after] = results
  expect(after).toMatchObject({ status: 'completed', output: 'alive\n' })
  if (result === undefined) throw new Error('no result')
  return result
}

describe('row 21: a command attacks its host', () => {
  test('`kill $PPID` does not end the host, and the result is honest', async () => {
    const result = await attack('kill $PPID; echo after')

    if (result.status === 'error') expect(result.error?.code).toBe('ERR_SUPERVISOR_LOST')
    else expect(result).toMatchObject({ status: 'completed', exitCode: 0, output: 'after\n' })
  })

  test('`kill -9 $PPID` takes the supervisor: reported, and nothing is left', async () => {
    const marker = uniqueSleep()
    const result = await attack(`echo before; kill -9 $PPID; sleep ${marker}`)

    expect(result).toMatchObject({ status: 'error', exitCode: null, error: { code: 'ERR_SUPERVISOR_LOST' } })
    expect(result.output).toBe('before\n')
    expect(processesWith(marker)).toEqual([])
  })

  test('`kill -STOP $PPID` does not make the call outlive its timeout', async () => {
    const marker = uniqueSleep()
    const result = await attack(`kill -STOP $PPID; sleep ${marker}`, 500)

    expect(['timed_out', 'error']).toContain(result.status)
    expect(processesWith(marker)).toEqual([])
  })

  test('`kill -STOP $PPID` does not make the call outlive bash', async () => {
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      argument: { commands: [{ command: 'kill -STOP $PPID; echo hi' }] },
    })
    const [result] = results

    expect(result).toMatchObject({ status: 'completed', output: 'hi\n' })
  })

  test('`kill 0` ends the command alone', async () => {
    const result = await attack('echo before; kill 0; sleep 20')

    expect(result).toMatchObject({ status: 'failed', signal: 'SIGTERM', exitCode: null, output: 'before\n' })
  })

  test('`kill -9 0` ends the command alone', async () => {
    const result = await attack('echo before; kill -9 0; sleep 20')

    expect(result).toMatchObject({ status: 'failed', signal: 'SIGKILL', exitCode: null, output: 'before\n' })
  })

  test('`kill -9 $$` is reported as the signal it is', async () => {
    const result = await attack('echo before; kill -9 $$')

    expect(result).toMatchObject({ status: 'failed', signal: 'SIGKILL', exitCode: null, output: 'before\n' })
  })

  test.each([
    ['exec true', 'completed', 0, ''],
    ['exec false', 'failed', 1, ''],
    ['exec echo replaced', 'completed', 0, 'replaced\n'],
    ['exec /nonexistent 2>/dev/null', 'failed', 127, ''],
    ['echo before; exec >&- 2>&-; echo lost', 'failed', 1, 'before\n'],
    ['exec 3>&1 >/dev/null; echo hidden; echo seen >&3', 'completed', 0, 'seen\n'],
  ])('`%s`: %s, %d', async (command, status, exitCode, output) => {
    expect(await attack(command)).toMatchObject({ status, exitCode, output })
  })

  test('`pkill -f MARKER` does not find its own command', async () => {
    const marker = uniqueSleep()
    const result = await attack(`echo before; pkill -f ${marker}; echo after`)

    expect(result).toMatchObject({ status: 'completed', output: 'before\nafter\n' })
  })

  test('closing every descriptor from 3 on does not disturb the result', async () => {
    const result = await attack('for n in $(seq 3 255); do eval "exec $n>&-"; done; echo on; exit 4')

    expect(result).toMatchObject({ status: 'failed', exitCode: 4, output: 'on\n' })
  })
})
