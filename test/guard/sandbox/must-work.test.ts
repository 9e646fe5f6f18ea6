// Commands that read and compute work in Restricted mode as they do without: same output, same status.
import type { BashResult } from '../../../lib/commands/run/result.js'
import { cases, setUp } from '../../fixtures/sandbox/must-work.cjs'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { directoryOf, environmentOf, users } from './sandbox-hosts.js'

interface Comparison {
  unrestricted: Partial<BashResult>
  restricted: Partial<BashResult>
  /** A program that is not installed. */
  missing?: string
  /** Why there is no Restricted mode. */
  refusal?: string
}

afterAll(killHosts)
afterAll(removeTempDirs)

describe.each(users)('as $user', ({ ordinaryUser }) => {
  let host: Host

  beforeAll(() => {
    const directory = directoryOf(ordinaryUser)
    host = startHost('sandbox-compare', {
      ordinaryUser,
      env: environmentOf(ordinaryUser),
      argument: { directory, setUp, cases },
    })
  })

  test.each(cases.map(({ name }) => name))(
    '%s',
    async (name) => {
      const { missing, refusal, unrestricted, restricted } = await host.report<Comparison>(name)
      if (missing !== undefined) return cannotTest(`there is no ${missing}`)
      if (refusal !== undefined) return cannotTest(refusal)

      expect(restricted).toEqual(unrestricted)
    },
    180_000,
  )
})

test('every command has a name of its own', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})
