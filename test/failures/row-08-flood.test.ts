// Row 8: memory stays bounded and the count exact, whatever the amount of output.
import type { BashResult } from '../../lib/commands/run/result.js'
import { canBecomeOrdinaryUser } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const GIB = 1024 ** 3
const MIB = 1024 ** 2

const expectBoundedFlood = async (ordinaryUser: boolean): Promise<void> => {
  const command = "head -c 3G /dev/zero | tr '\\0' a"
  const { results, peakGrowth } = await runHost<{ results: [BashResult]; peakGrowth: number }>(
    'run-commands',
    {
      argument: { commands: [{ command }], measure: true },
      ordinaryUser,
    },
  )

  expect(results[0]).toMatchObject({
    status: 'completed',
    exitCode: 0,
    outputBytes: 3 * GIB,
    truncated: true,
    binary: false,
  })
  expect(results[0].output.length).toBeLessThan(MIB)
  expect(peakGrowth).toBeLessThan(16 * MIB)
}

describe('row 8: a flood of 3 GiB', () => {
  test(
    'bounded memory and an exact count, as the user who runs the tests',
    () => expectBoundedFlood(false),
    120_000,
  )

  test('bounded memory and an exact count, as an ordinary user with the pipe budget of one', async () => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot change the user here')
    await expectBoundedFlood(true)
  }, 120_000)
})
