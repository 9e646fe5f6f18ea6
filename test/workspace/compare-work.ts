// Work that is done twice, in Workspace mode and without, and has to come out the same.
import type { BashResult } from '../../lib/commands/run/result.js'
import { type Host, killHosts, startHost } from '../support/host.js'
import { casesInTurn } from '../support/in-turns.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { directoryOf, environmentOf, users } from './workspace-hosts.js'

interface Outcome extends Partial<BashResult> {
  tree: string[]
}

interface Comparison {
  unrestricted: Outcome
  workspace: Outcome
  /** A program that is not installed. */
  missing?: string
  /** Why there is no Workspace mode. */
  refusal?: string
  /** An error of the test itself. */
  thrown?: string
}

/** Expects of a host that compares that a piece of work was done, and came out the same. */
export const expectSame = async (host: Host, name: string): Promise<void> => {
  const { missing, refusal, thrown, unrestricted, workspace } = await host.report<Comparison>(name)
  if (missing !== undefined) return cannotTest(`there is no ${missing}`)
  if (refusal !== undefined) return cannotTest(refusal)

  expect(thrown).toBeUndefined()
  // As a proof that it was done at all.
  expect(unrestricted).toMatchObject({ status: 'completed', exitCode: 0 })
  expect(workspace).toEqual(unrestricted)
}

/** @param ofNetwork whether it is among the works of the network, for the host that does it */
export const compareWork = (works: readonly { name: string }[], { ofNetwork = false } = {}): void => {
  afterAll(killHosts)
  afterAll(removeTempDirs)

  test('every piece of work has a name of its own', () => {
    expect(new Set(works.map(({ name }) => name)).size).toBe(works.length)
  })

  describe.each(users)('as $user', ({ ordinaryUser }) => {
    const only = casesInTurn(works, Number(ordinaryUser), users.length).map(({ name }) => name)
    let host: Host

    beforeAll(() => {
      host = startHost('workspace-compare', {
        ordinaryUser,
        env: environmentOf(ordinaryUser),
        argument: { directory: directoryOf(ordinaryUser), ofNetwork, only },
      })
    })

    test.each(only)('%s', (name) => expectSame(host, name), 180_000)
  })
}
