// A short part of what `node test/surfaces/fleet/chaos/main.mjs --minutes 10` does for longer.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../support/as-user.js'
import { endFleets, fleetTest } from './describe-fleet.js'

endFleets()

fleetTest(
  'while workers and Redis are killed, no call runs twice, is lost, or is told what is not so',
  async () => {
    const program = join(packageRoot, 'test/surfaces/fleet/chaos/main.mjs')
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--minutes', '0.5'], {
      cwd: packageRoot,
    })
    const runs = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

    expect(runs.map(({ redis }) => redis)).toEqual(['keeps', 'forgets'])
    for (const run of runs) {
      expect(run).toMatchObject({ ranTwice: 0, completedUnrun: 0, notStartedRan: 0, unanswered: 0 })
      expect(run.outcomes.completed).toBeGreaterThan(0)
    }
  },
)
