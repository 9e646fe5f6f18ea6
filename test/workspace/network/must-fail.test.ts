// Workspace mode refuses every attack through sockets: servers of the host's stay out of reach, and nobody gets a name
// or a port that others rely on. Without a sandbox the same attacks succeed.
import { attackProgram } from '../../guard/sandbox/sandbox-hosts.js'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { casesInTurn } from '../../support/in-turns.js'
import { cannotTest, onlyRootsHostCan } from '../../support/must-work.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { directoryOf, users } from '../workspace-hosts.js'
import { networkAttacks } from './attacks.cjs'

interface Verdict {
  outcome: string
  expected: string[]
  ok: boolean
  effect?: string
  /** Why the attack could not be prepared. */
  unavailable?: string
  /** Why no command can be run in this mode. */
  refusal?: string
  /** An error of the test itself. */
  thrown?: string
}

const program = attackProgram()
const names = networkAttacks.map(({ name }) => name)

afterAll(killHosts)
afterAll(removeTempDirs)

test('every attack has a name of its own', () => {
  expect(names).toEqual([...new Set(names)])
})

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const controls = casesInTurn(names, Number(ordinaryUser), users.length)
  describe.each([
    { mode: 'in Workspace mode it is refused', sandbox: 'workspace', only: names },
    { mode: 'without a sandbox it succeeds', sandbox: 'unrestricted', only: controls },
  ])('$mode:', ({ sandbox, only }) => {
    let host: Host | undefined

    beforeAll(() => {
      if (program === undefined) return
      const argument = { sandbox, only, ofNetwork: true, program, directory: directoryOf(ordinaryUser) }
      host = startHost('workspace-attacks', { ordinaryUser, argument })
    })

    test.each(only)(
      '%s',
      async (name) => {
        if (host === undefined) return cannotTest('there is no C compiler')
        const verdict = await host.report<Verdict>(name)
        const { refusal, unavailable, ok } = verdict
        if (unavailable !== undefined) return onlyRootsHostCan(unavailable)
        if (refusal !== undefined) return cannotTest(refusal)

        expect(ok ? [] : [verdict]).toEqual([])
      },
      180_000,
    )
  })
})
