// Workspace mode refuses every attack of its own and of Restricted mode, and nothing is changed outside; without a
// sandbox, its own attacks succeed.
import { attackProgram, setuidProgram, type Verdict } from '../guard/sandbox/sandbox-hosts.js'
import { type Host, killHosts, startHost } from '../support/host.js'
import { casesInTurn } from '../support/in-turns.js'
import { cannotTest, onlyRootCanTest, onlyRootsHostCan } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { restrictedAttacks, workspaceAttacks } from './attacks.cjs'
import { directoryOf, inheritedPrefix, ownMounts, users } from './workspace-hosts.js'

const program = attackProgram()

afterAll(killHosts)
afterAll(removeTempDirs)

const startAttacks = (sandbox: string, ordinaryUser: boolean, only: readonly string[]): Host => {
  const directory = directoryOf(ordinaryUser)
  const { prefix: outerPrefix, devices, view } = ownMounts(directory)
  const { prefix, inherited } = inheritedPrefix(directory)
  return startHost('workspace-attacks', {
    ordinaryUser,
    outerPrefix,
    prefix,
    argument: {
      sandbox,
      only,
      program,
      directory,
      inherited,
      setuidProgram: setuidProgram(program),
      devices,
      view,
    },
  })
}

const own = workspaceAttacks.map(({ name }) => name)
const all = [...own, ...restrictedAttacks.map(({ name }) => name)]

test('every attack has a name of its own', () => {
  expect(all).toEqual([...new Set(all)])
})

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const controls = casesInTurn(own, Number(ordinaryUser), users.length)
  describe.each([
    { mode: 'in Workspace mode it is refused', sandbox: 'workspace', names: all },
    { mode: 'without a sandbox it succeeds', sandbox: 'unrestricted', names: controls },
  ])('$mode:', ({ sandbox, names }) => {
    let host: Host | undefined

    beforeAll(() => {
      if (program !== undefined) host = startAttacks(sandbox, ordinaryUser, names)
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
