// What a command in Restricted mode is to the kernel: its capabilities, its session, its descriptors.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/commands/run/result.js'
import { asRoot, rootPrefix } from '../../support/as-root.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { users } from './sandbox-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

let refusal: string | undefined

beforeAll(async () => {
  refusal = await whyNotRestricted()
})

const runAs = async (ordinaryUser: boolean, command: string, prefix: string[] = []): Promise<string> => {
  const commands = [{ command, options: { sandbox: 'restricted' } }]
  const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
    ordinaryUser,
    prefix,
    argument: { commands },
  })
  expect(results).toMatchObject([{ status: 'completed' }])
  return results[0]?.output ?? ''
}

/** CAP_DAC_READ_SEARCH, bit 2. */
const readSearch = 1n << 2n

describe.each(users)('as $user', ({ user, ordinaryUser }) => {
  test('no capability is left but that of root to read everything', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const output = await runAs(ordinaryUser, 'grep ^Cap /proc/self/status')
    const sets = Object.fromEntries(
      [...output.matchAll(/^Cap(\w+):\s+(\w+)$/gm)].map(([, name, bits]) => [name, BigInt(`0x${bits}`)]),
    )
    const allowed = user === 'root' ? readSearch : 0n

    expect(sets).toMatchObject({ Inh: 0n, Prm: allowed, Eff: allowed, Amb: 0n })
  })

  test('no privileges can be gained, and a system call filter is in force', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const output = await runAs(ordinaryUser, "grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status")

    expect(output).toBe('NoNewPrivs:\t1\nSeccomp:\t2\n')
  })

  test('bash leads a session of its own, without a terminal', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    // Fields 1, 6 and 7 of proc_pid_stat(5); its name, the second, has no blanks.
    const output = await runAs(ordinaryUser, "awk '{ print $1, $6, $7 }' /proc/$$/stat")

    expect(output).toMatch(/^(\d+) \1 0\n$/)
  })

  test('bash has no descriptor but its input and its output', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const output = await runAs(ordinaryUser, 'ls /proc/$$/fd; true')

    expect(output.split('\n').filter((n) => n !== '' && n !== '255')).toEqual(['0', '1', '2'])
  })
})

test("root reads what is in another user's private directory", async () => {
  if (refusal !== undefined) return cannotTest(refusal)
  const root = rootPrefix()
  if (root === undefined) return onlyRootCanTest('only root may')
  const directory = join(tempDir(), 'private')
  const file = join(directory, 'file')
  mkdirSync(directory)
  writeFileSync(file, 'private\n', { mode: 0o600 })
  chmodSync(directory, 0o700)
  asRoot('chown', '--recursive', '4242:4242', directory)
  try {
    expect(await runAs(false, `cat '${file}'`, root)).toBe('private\n')
  } finally {
    asRoot('rm', '--recursive', directory)
  }
})
