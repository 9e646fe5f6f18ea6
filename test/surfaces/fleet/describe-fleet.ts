// Tests of fleets: they need redis-server, and leave nothing behind.
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { noRedis } from './redis-server.js'
import { stopFleets } from './test-fleet.js'

const missing = noRedis()

/** As `test`, where a fleet can be tried. Each has processes of its own to start, and states to wait for. */
export const fleetTest = (name: string, act: () => Promise<void>): void => {
  test(name, async () => {
    if (missing !== undefined) return cannotTest(missing)
    await act()
  }, 120_000)
}

/** To be called once in each file. */
export const endFleets = (): void => {
  afterEach(stopFleets, 60_000)
  afterEach(killLeftovers)
  afterEach(removeTempDirs)
}
