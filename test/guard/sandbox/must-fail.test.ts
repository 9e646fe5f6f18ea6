// Restricted mode refuses every attack, and nothing is changed outside; without a sandbox, each of them succeeds.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { protections } from '../../../lib/guard/sandbox/protections.js'
import { isRoot } from '../../support/as-user.js'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { attacks } from './attacks.cjs'
import { attackProgram, directoryOf, setuidProgram, users, type Verdict } from './sandbox-hosts.js'

const program = attackProgram()

afterAll(killHosts)
afterAll(removeTempDirs)

/** Mounts /dev once more, for what it executes alone. */
const mountDevices = (target: string): string[] => [
  'unshare',
  '--mount',
  'bash',
  '-c',
  'mount --rbind /dev "$0" && exec "$@"',
  target,
]

/** Where a second mount of /dev can be; undefined where there can be none. */
const placeForDevices = (): string | undefined => {
  if (!isRoot) return undefined
  const place = tempDir()
  const [mount = '', ...words] = mountDevices(place)
  return spawnSync(mount, [...words, 'true']).status === 0 ? place : undefined
}

/** A host that has a file open for what it starts, and carries out all attacks. */
const startAttacks = (sandbox: string, ordinaryUser: boolean): Host => {
  const directory = directoryOf(ordinaryUser)
  const inherited = join(directory, 'inherited')
  const devices = placeForDevices()
  return startHost('sandbox-attacks', {
    ordinaryUser,
    outerPrefix: devices === undefined ? [] : mountDevices(devices),
    prefix: ['bash', '-c', 'echo content >"$0"; exec 9>>"$0"; exec "$@"', inherited],
    argument: { sandbox, program, directory, inherited, setuidProgram: setuidProgram(program), devices },
  })
}

const names = attacks.map(({ name }) => name)

test('every attack has a name of its own, and every protection has an attack', () => {
  expect(names).toEqual([...new Set(names)])
  expect([...new Set(attacks.map(({ protection }) => protection))].sort()).toEqual([...protections].sort())
})

describe.each(users)('as $user', ({ ordinaryUser }) => {
  describe.each([
    { mode: 'in Restricted mode it is refused', sandbox: 'restricted' },
    { mode: 'without a sandbox it succeeds', sandbox: 'unrestricted' },
  ])('$mode:', ({ sandbox }) => {
    let host: Host | undefined

    beforeAll(() => {
      if (program !== undefined) host = startAttacks(sandbox, ordinaryUser)
    })

    test.each(names)('%s', async (name) => {
      if (host === undefined) return cannotTest('there is no C compiler')
      const verdict = await host.report<Verdict>(name)
      const { refusal, unavailable, limitation, ok } = verdict
      if (unavailable?.startsWith('only root')) return onlyRootCanTest(unavailable)
      const reason = refusal ?? unavailable ?? limitation
      if (reason !== undefined) return cannotTest(reason)

      expect(ok ? [] : [verdict]).toEqual([])
    })
  })
})
