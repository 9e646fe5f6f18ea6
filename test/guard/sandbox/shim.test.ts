// Older versions of Landlock, and none: a host runs under a shim that makes the kernel look like that.
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/commands/run/result.js'
import type { SandboxReport } from '../../../lib/guard/sandbox/probe.js'
import { protections } from '../../../lib/guard/sandbox/protections.js'
import { buildAttackProgram } from '../../fixtures/sandbox/attacks/program.cjs'
import { canBecomeOrdinaryUser, isRoot, ordinaryUid, packageRoot } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(async () => {
  await killHosts()
  removeTempDirs()
})

interface Refusal {
  thrown: { code: string; message: string }
}

interface Outcome {
  report: SandboxReport
  restricted: (BashResult & Refusal)[]
  unrestricted: BashResult
  warnings: string[]
}

/** What a host needs to run under the shim; undefined without a C compiler. */
const build = () => {
  const directory = tempDir()
  const shim = join(directory, 'landlock-shim')
  const source = join(packageRoot, 'test/fixtures/sandbox/landlock-shim.c')
  const { status, stderr, error } = spawnSync('cc', [
    '-O1',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-o',
    shim,
    source,
  ])
  if (error !== undefined) return undefined
  if (status !== 0) throw new Error(`cc: ${stderr}`)
  const attack = join(directory, 'attack')
  buildAttackProgram(attack)
  return { shim, attack }
}

const programs = build()

interface User {
  as: string
  ordinaryUser: boolean
}

const ordinary = { as: 'an ordinary user', ordinaryUser: true }
const users: User[] = isRoot ? [{ as: 'root', ordinaryUser: false }, ordinary] : [ordinary]

/** Why there can be no such host here; undefined when there can. */
const obstacle = (mode: string, { ordinaryUser }: User): string | undefined => {
  if (programs === undefined) return 'there is no C compiler'
  if (ordinaryUser && !canBecomeOrdinaryUser()) return 'setpriv(1) cannot do its work'
  const { status, stderr } = spawnSync(programs.shim, [mode, 'true'], { encoding: 'utf8' })
  return status === 0 ? undefined : stderr.trim()
}

const truncations = ['truncate', 'truncate-by-open', 'truncate-by-openat2']
const CONTENT = 'content\n'

/** Runs a host under the shim, in a directory of its user with one file, and looks at what became of that. */
const observe = async (mode: string, { ordinaryUser }: User, required: string[] = []) => {
  const { shim, attack } = programs ?? { shim: '', attack: '' }
  const cwd = tempDir({ owner: ordinaryUser && isRoot ? ordinaryUid : undefined })
  const file = join(cwd, 'file')
  writeFileSync(file, CONTENT)
  chmodSync(file, 0o666)
  const commands = [
    'echo x > new',
    'echo x >> file',
    ...truncations.map((name) => `'${attack}' ${name} file`),
  ]
  const outcome = await runHost<Outcome>('restricted-commands', {
    prefix: [shim, mode],
    ordinaryUser,
    argument: { cwd, commands, required },
  })
  return { ...outcome, files: readdirSync(cwd), content: readFileSync(file, 'utf8') }
}

type Observation = Awaited<ReturnType<typeof observe>>

/** Looks at one mode as one user, once for all tests of a block. */
const observeOnce = (mode: string, user: User) => {
  let seen: Observation | undefined
  const reason = obstacle(mode, user)
  beforeAll(async () => {
    if (reason === undefined) seen = await observe(mode, user)
  })
  /** A test that needs it. */
  return (name: string, look: (observation: Observation) => void) =>
    test(name, () => {
      if (seen === undefined) return cannotTest(reason ?? 'the host has not run')
      look(seen)
    })
}

const casesFor = <Mode extends object>(modes: Mode[]) =>
  users.flatMap((user) => modes.map((mode) => ({ ...user, ...mode })))

/** The first Landlock that confines signals. All the others are there from the first one. */
const SIGNALS_ABI = 6

const namesIn = (abi: number) => protections.filter((name) => name !== 'signals' || abi >= SIGNALS_ABI)

describe.each(casesFor([1, 2, 3, 4, 5, 6].map((abi) => ({ abi }))))(
  'Landlock ABI $abi, as $as',
  ({ abi, ...user }) => {
    const testHere = observeOnce(String(abi), user)

    testHere('is reported', ({ report }) => {
      expect(report).toMatchObject({
        available: true,
        kernel: release(),
        landlock: { abi, state: 'enabled' },
      })
      expect(report.reason).toBeUndefined()
      const enforced = report.protections.filter((protection) => protection.enforced)
      expect(enforced.map(({ name }) => name)).toEqual(namesIn(abi))
    })

    testHere('confines commands by all that is reported', ({ restricted }) => {
      expect(restricted.map(({ sandbox }) => sandbox)).toEqual(restricted.map(() => 'restricted'))
      for (const { enforced } of restricted) expect(enforced).toEqual(namesIn(abi))
    })

    testHere('denies writing and creating', ({ restricted: [create, append], files, content }) => {
      expect(create).toMatchObject({ status: 'failed', output: expect.stringContaining('Permission denied') })
      expect(append).toMatchObject({ status: 'failed', output: expect.stringContaining('Permission denied') })
      expect(files).toEqual(['file'])
      expect(content).toBe(CONTENT)
    })

    // Before ABI 3 Landlock itself lets everybody truncate.
    testHere('denies truncating', ({ restricted, content }) => {
      const outputs = restricted.slice(2).map(({ output }) => output)
      expect(outputs).toHaveLength(truncations.length)
      for (const output of outputs) expect(output).toMatch(/^(\w+: )?(EACCES|EPERM|ENOSYS)\n$/)
      expect(content).toBe(CONTENT)
    })

    testHere('warns of nothing', ({ warnings }) => expect(warnings).toEqual([]))
  },
)

test.each(casesFor([1, 2, 3, 4, 5].map((abi) => ({ abi }))))(
  'a command that requires the protection of signals is refused with Landlock ABI $abi, as $as',
  async ({ abi, ...user }) => {
    const reason = obstacle(String(abi), user)
    if (reason !== undefined) return cannotTest(reason)
    const { report, restricted, files, content } = await observe(String(abi), user, ['signals'])

    const why = report.protections.find(({ name }) => name === 'signals')?.reason
    expect(why).toMatch(new RegExp(`Landlock ABI 6.*this kernel has ABI ${abi}`))
    for (const { thrown } of restricted) {
      expect(thrown.code).toBe('ERR_SANDBOX_UNAVAILABLE')
      expect(thrown.message).toContain(why)
    }
    expect({ files, content }).toEqual({ files: ['file'], content: CONTENT })
  },
)

const absent = [
  { mode: 'ENOSYS', state: 'notBuiltIn', why: /5\.13/ },
  { mode: 'EOPNOTSUPP', state: 'disabledAtBoot', why: /disabled at boot.*lsm=/ },
  { mode: 'EPERM', state: 'blocked', why: /container/ },
]

describe.each(casesFor(absent))(
  'a Landlock that fails with $mode, as $as',
  ({ mode, state, why, ...user }) => {
    const testHere = observeOnce(mode, user)

    testHere('is reported with the reason', ({ report }) => {
      expect(report).toMatchObject({ available: false, landlock: { abi: 0, state } })
      expect(report.reason).toMatch(why)
      expect(report.protections.map(({ name }) => name)).toEqual([...protections])
      for (const { enforced, reason } of report.protections) {
        expect(enforced).toBe(false)
        expect(reason).toBe(report.reason)
      }
    })

    testHere(
      'refuses restricted commands, and runs none of them',
      ({ report, restricted, files, content }) => {
        for (const { thrown } of restricted) {
          expect(thrown.code).toBe('ERR_SANDBOX_UNAVAILABLE')
          expect(thrown.message).toContain(release())
          expect(thrown.message).toContain(report.reason)
        }
        expect({ files, content }).toEqual({ files: ['file'], content: CONTENT })
      },
    )

    testHere('is warned of once', ({ warnings }) => expect(warnings).toEqual([expect.stringMatching(why)]))

    testHere('does not keep unrestricted commands from running', ({ unrestricted }) => {
      expect(unrestricted).toMatchObject({ output: 'unrestricted\n', sandbox: 'unrestricted', enforced: [] })
    })
  },
)
