// Row 30: a failing command that printed 150 MB of NULs neither kills the host nor fills its memory.
import type { BashResult } from '../../lib/commands/run/result.js'
import { killHosts, runHost } from '../support/host.js'

afterEach(killHosts)

const MIB = 1024 ** 2

describe('row 30: a failing command that printed 150 MB of NULs', () => {
  test('the host is alive, its memory bounded, and the result honest', async () => {
    const commands = [{ command: 'head -c 150M /dev/zero; exit 3' }, { command: 'echo alive' }]
    const { results, peakGrowth } = await runHost<{ results: BashResult[]; peakGrowth: number }>(
      'run-commands',
      {
        argument: { commands, measure: true },
      },
    )

    expect(results[0]).toMatchObject({
      status: 'failed',
      exitCode: 3,
      outputBytes: 150 * MIB,
      truncated: true,
      binary: true,
    })
    expect(results[1]).toMatchObject({ status: 'completed', output: 'alive\n' })
    expect(peakGrowth).toBeLessThan(16 * MIB)
  })
})
