// Children that end faster than they can be reaped do not keep the supervisor from its other work.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { BashResult } from '../../lib/commands/run/result.js'
import { canBecomeOrdinaryUser, isRoot, packageRoot } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { killLeftovers, processesWith } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(killHosts)
afterAll(removeTempDirs)

test('a timeout ends a command whose children come and go without end', async () => {
  if (isRoot && !canBecomeOrdinaryUser()) return cannotTest('setpriv(1) cannot do its work')
  const program = join(tempDir(), 'siblings')
  const source = join(packageRoot, 'test/fixtures/short-lived-siblings.c')
  const { error, status, stderr } = spawnSync('cc', ['-O1', '-o', program, source], { encoding: 'utf8' })
  if (error !== undefined) return cannotTest('there is no C compiler')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })

  // They end by themselves long after the timeout. The limit keeps dead ones from filling the table of processes.
  const options = { timeout: 500, termGraceMs: 200 }
  const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
    ordinaryUser: isRoot,
    prefix: ['prlimit', '--nproc=1000:1000', '--'],
    argument: { commands: [{ command: `${program} 4 30`, options }] },
  })

  expect(results).toMatchObject([{ status: 'timed_out', output: 'started\n', survivors: [] }])
  expect(results[0]?.durationMs).toBeLessThan(12_000)
  expect(processesWith(program)).toEqual([])
})
