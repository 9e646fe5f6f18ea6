// probeSandbox() and the warning, in processes of their own: each process has both once.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult, SandboxEvent, SandboxReport } from '../../../lib/index.js'
import { packageRoot } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { shimPrefix } from '../../support/landlock-shim.js'
import { cannotTest } from '../../support/must-work.js'
import { testRestricted, whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

interface Outcome {
  first: SandboxReport
  same: boolean
  results: BashResult[]
  warnings: { name: string; code: string; message: string }[]
  events: SandboxEvent[]
  warnedAtCreation: number
}

const observe = (TMPDIR: string, prefix: string[] = []): Promise<Outcome> =>
  runHost<Outcome>('sandbox-report', { prefix, env: { ...process.env, TMPDIR } })

testRestricted('tries every protection out, once, and leaves nothing behind', async () => {
  const directory = tempDir()
  const { first, same, warnings } = await observe(directory)

  expect(first).toMatchObject({ available: true, landlock: { state: 'enabled' } })
  for (const { enforced, mechanisms, reason } of first.protections) {
    expect(enforced ? mechanisms : [reason]).toEqual(expect.arrayContaining([expect.any(String)]))
  }
  expect({ same, warnings, left: readdirSync(directory) }).toEqual({ same: true, warnings: [], left: [] })
})

testRestricted('needs no directory to write to', async () => {
  for (const directory of [join(tempDir(), 'missing'), '/proc', '/dev/shm']) {
    expect(await observe(directory)).toMatchObject({ first: { available: true } })
  }
})

test('under as many domains as the kernel allows there is no room for another, and that is what is said', async () => {
  const reason = await whyNotRestricted()
  if (reason !== undefined) return cannotTest(reason)
  const program = join(tempDir(), 'landlock-layers')
  const source = join(packageRoot, 'test/fixtures/sandbox/landlock-layers.c')
  const { status, error, stderr } = spawnSync('cc', ['-o', program, source], { encoding: 'utf8' })
  if (error !== undefined) return cannotTest('there is no C compiler')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { first, results } = await observe(tempDir(), [program, '15'])

  expect(first).toMatchObject({
    available: false,
    reason: expect.stringMatching(/in as many Landlock domains as the kernel allows/),
  })
  expect(results[0]).toMatchObject({ status: 'error', error: { code: 'ERR_SANDBOX_UNAVAILABLE' } })
})

describe('without Landlock', () => {
  test('a host is warned when it makes a tool, once, and a channel tells why', async () => {
    const prefix = shimPrefix('EOPNOTSUPP')
    if (!Array.isArray(prefix)) return cannotTest(prefix.obstacle)
    const { warnings, events, warnedAtCreation } = await observe(tempDir(), prefix)

    expect(warnings).toEqual([
      {
        name: 'BashwardWarning',
        code: 'BASHWARD_NO_SANDBOX',
        message: expect.stringMatching(/^Restricted mode is not available: Landlock .* disabled at boot/),
      },
    ])
    expect(warnedAtCreation).toBe(1)
    expect(events).toEqual([{ type: 'unavailable', reason: expect.stringContaining('lsm=') }])
  })

  test('a process is warned once, whichever of its threads makes tools; the channel is one of each', async () => {
    const prefix = shimPrefix('EOPNOTSUPP')
    if (!Array.isArray(prefix)) return cannotTest(prefix.obstacle)
    const seen = await runHost<{ warnings: number; events: number }[]>('sandbox-warnings', { prefix })

    expect(seen.map(({ warnings }) => warnings).sort()).toEqual([0, 0, 1])
    expect(seen.map(({ events }) => events)).toEqual([1, 1, 1])
  })

  test('calls in Restricted mode are refused by every tool, with what it takes', async () => {
    const prefix = shimPrefix('ENOSYS')
    if (!Array.isArray(prefix)) return cannotTest(prefix.obstacle)
    const { results } = await observe(tempDir(), prefix)
    const [bash, exec, suite] = results

    for (const result of [bash, suite]) {
      expect(result).toMatchObject({
        status: 'error',
        output: '',
        sandbox: 'restricted',
        enforced: [],
        error: { code: 'ERR_SANDBOX_UNAVAILABLE', message: expect.stringContaining('5.13') },
      })
    }
    expect(exec).toMatchObject({
      stdout: '',
      exitCode: null,
      error: expect.stringMatching(/^sandbox unavailable: /),
    })
  })
})
