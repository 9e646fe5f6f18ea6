// Under what Docker's default profile leaves of the kernel, Workspace mode is offered, holds, and works.
import { works } from '../fixtures/workspace/real-work.cjs'
import { attackProgram } from '../guard/sandbox/sandbox-hosts.js'
import { type Host, killHosts, startHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { workspaceAttacks } from './attacks.cjs'
import { buildFixture } from './build-fixture.js'
import { directoryOf, environmentOf, users } from './workspace-hosts.js'

afterAll(killHosts)
afterAll(removeTempDirs)

const profile = buildFixture('container-profile')
const attack = attackProgram()

/** One of each kind; the rest differ in what is the same there. */
const attacks = workspaceAttacks
  .map(({ name }) => name)
  .filter((name) =>
    /^change of (mode|owner|set-attribute) |^a |link|move|secret by (open|mmap|execute)$/.test(name),
  )

const pieces = works
  .map(({ name }) => name)
  .filter((name) => /^git: init|^make|^tar xp|^cp -a|^chmod|^sed|^python: sqlite|^node/.test(name))

interface Verdict {
  ok?: boolean
  unavailable?: string
  refusal?: string
}

interface Comparison {
  unrestricted?: unknown
  workspace?: unknown
  missing?: string
  refusal?: string
}

describe.each(users)('as $user', ({ ordinaryUser }) => {
  let attacked: Host | undefined
  let worked: Host | undefined

  beforeAll(() => {
    if (profile === undefined) return
    const directory = directoryOf(ordinaryUser)
    const argument = { sandbox: 'workspace', program: attack, directory, only: attacks }
    const own = { ordinaryUser, prefix: [profile] }
    attacked = startHost('workspace-attacks', { ...own, argument })
    worked = startHost('workspace-compare', {
      ...own,
      env: environmentOf(ordinaryUser),
      argument: { directory: directoryOf(ordinaryUser), only: pieces },
    })
  })

  test.each(attacks)('refused: %s', async (name) => {
    if (attacked === undefined) return cannotTest('there is no C compiler')
    const verdict = await attacked.report<Verdict>(name)
    const reason = verdict.refusal ?? verdict.unavailable
    if (reason !== undefined) return cannotTest(reason)

    expect(verdict).toMatchObject({ ok: true })
  })

  test.each(pieces)(
    'done: %s',
    async (name) => {
      if (worked === undefined) return cannotTest('there is no C compiler')
      const { missing, refusal, unrestricted, workspace } = await worked.report<Comparison>(name)
      if (missing !== undefined) return cannotTest(`there is no ${missing}`)
      if (refusal !== undefined) return cannotTest(refusal)

      expect(workspace).toEqual(unrestricted)
    },
    180_000,
  )
})
