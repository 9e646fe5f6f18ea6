// Workspace mode refuses every attack of its own and of Restricted mode, and nothing is changed outside; without a
// sandbox, its own attacks succeed.
import { join } from 'node:path'
import { attacks } from '../sandbox/attacks.cjs'
import { attackProgram } from '../sandbox/sandbox-hosts.js'
import { asRoot, rootPrefix } from '../support/as-root.js'
import { type Host, killHosts, startHost } from '../support/host.js'
import { cannotTest, onlyRootCanTest, onlyRootsHostCan } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { workspaceAttacks } from './attacks.cjs'
import { directoryOf, inheritedPrefix, ownMounts, users } from './workspace-hosts.js'

interface Verdict {
  outcome: string
  expected: string[]
  ok: boolean
  effect?: string
  limitation?: string
  /** Why the attack could not be prepared. */
  unavailable?: string
  /** Why no command can be run in this mode. */
  refusal?: string
  /** An error of the test itself. */
  thrown?: string
}

const program = attackProgram()

afterAll(killHosts)
afterAll(removeTempDirs)

/** Only root can make it; an ordinary user's command then runs it. */
const setuidProgram = (): string | undefined => {
  if (rootPrefix() === undefined || program === undefined) return undefined
  const copy = join(tempDir(), 'attack')
  asRoot('install', '--owner=0', '--group=0', '--mode=4755', program, copy)
  return copy
}

const startAttacks = (sandbox: string, ordinaryUser: boolean): Host => {
  const directory = directoryOf(ordinaryUser)
  const { prefix: outerPrefix, devices, view } = ownMounts(directory)
  const { prefix, inherited } = inheritedPrefix(directory)
  return startHost('workspace-attacks', {
    ordinaryUser,
    outerPrefix,
    prefix,
    argument: { sandbox, program, directory, inherited, setuidProgram: setuidProgram(), devices, view },
  })
}

const own = workspaceAttacks.map(({ name }) => name)
const all = [...own, ...attacks.map(({ name }) => name)]

test('every attack has a name of its own', () => {
  expect(all).toEqual([...new Set(all)])
})

describe.each(users)('as $user', ({ ordinaryUser }) => {
  describe.each([
    { mode: 'in Workspace mode it is refused', sandbox: 'workspace', names: all },
    { mode: 'without a sandbox it succeeds', sandbox: 'unrestricted', names: own },
  ])('$mode:', ({ sandbox, names }) => {
    let host: Host | undefined

    beforeAll(() => {
      if (program !== undefined) host = startAttacks(sandbox, ordinaryUser)
    })

    test.each(names)(
      '%s',
      async (name) => {
        if (host === undefined) return cannotTest('there is no C compiler')
        const verdict = await host.report<Verdict>(name)
        const { refusal, unavailable, limitation, ok } = verdict
        if (unavailable?.startsWith('only root')) {
          return (ordinaryUser ? onlyRootsHostCan : onlyRootCanTest)(unavailable)
        }
        const reason = refusal ?? unavailable ?? limitation
        if (reason !== undefined) return cannotTest(reason)

        expect(ok ? [] : [verdict]).toEqual([])
      },
      180_000,
    )
  })
})
