// Under what Docker's default profile leaves of the kernel, servers of others stay out of reach, and those of the command
// and listed hosts work.
import type { BashResult } from '../../../lib/index.js'
import { networkWorks } from '../../fixtures/workspace/network-work.cjs'
import { attackProgram, type Verdict } from '../../guard/sandbox/sandbox-hosts.js'
import { type Host, killHosts, runHost, startHost } from '../../support/host.js'
import { cannotTest, onlyRootsHostCan } from '../../support/must-work.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { buildFixture } from '../build-fixture.js'
import { expectSame } from '../compare-work.js'
import { directoryOf, environmentOf, users } from '../workspace-hosts.js'
import { networkAttacks } from './attacks.cjs'
import { closeServers, serveHttp } from './local-servers.js'

afterAll(killHosts)
afterAll(closeServers)
afterAll(removeTempDirs)

const profile = buildFixture('container-profile')
const program = attackProgram()

/** One of each kind; the rest differ in what is the same there. */
const attacks = networkAttacks
  .map(({ name }) => name)
  .filter((name) =>
    /^network: (127\.0\.0\.1 for a server at (127|0)|::1 for a server at ::1|the name localhost|MSG_FASTOPEN by sendto|a socket that was|a port (that|whose)|a server at :: beside|leave the|SO_REUSEPORT$|IP_TRANSPARENT|a socket of (UDP|a raw|PACKET|SCTP)$)|^local: (a socket of the host's by path|one that (lies in the workspace, by path|is moved)|an abstract name$)/.test(
      name,
    ),
  )

const pieces = networkWorks
  .map(({ name }) => name)
  .filter((name) => /^node: (http|local|many)|^python: (sockets|asyncio)|^curl|^perl/.test(name))

test('the profile refuses what a container may not do', async () => {
  if (profile === undefined || program === undefined) return cannotTest('there is no C compiler')
  const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
    prefix: [profile],
    argument: { commands: [{ command: `unshare --net true; '${program}' socket 40 1 0` }] },
  })

  expect(results[0]?.output).toMatch(/^unshare: .*\n(socket: )?EPERM\n$/)
})

describe.each(users)('as $user', ({ ordinaryUser }) => {
  describe.each([
    { mode: 'in Workspace mode it is refused', sandbox: 'workspace' },
    { mode: 'without a sandbox it succeeds', sandbox: 'unrestricted' },
  ])('$mode:', ({ sandbox }) => {
    let host: Host | undefined

    beforeAll(() => {
      if (profile === undefined) return
      const given = { sandbox, ofNetwork: true, program, only: attacks }
      const argument = { ...given, directory: directoryOf(ordinaryUser) }
      host = startHost('workspace-attacks', { ordinaryUser, prefix: [profile], argument })
    })

    test.each(attacks)('%s', async (name) => {
      if (host === undefined) return cannotTest('there is no C compiler')
      const verdict = await host.report<Verdict>(name)
      const { refusal, unavailable, ok } = verdict
      if (unavailable !== undefined) return onlyRootsHostCan(unavailable)
      if (refusal !== undefined) return cannotTest(refusal)

      expect(ok ? [] : [verdict]).toEqual([])
    })
  })

  describe('done:', () => {
    let host: Host | undefined

    beforeAll(() => {
      if (profile === undefined) return
      const argument = { directory: directoryOf(ordinaryUser), ofNetwork: true, only: pieces }
      const env = environmentOf(ordinaryUser)
      host = startHost('workspace-compare', { ordinaryUser, prefix: [profile], env, argument })
    })

    test.each(pieces)(
      '%s',
      async (name) => {
        if (host === undefined) return cannotTest('there is no C compiler')
        await expectSame(host, name)
      },
      180_000,
    )
  })

  test('what is listed is reached by the proxy, and nothing else', async () => {
    if (profile === undefined) return cannotTest('there is no C compiler')
    const listed = await serveHttp((_, answer) => void answer.end('listed\n'))
    const other = await serveHttp((_, answer) => void answer.end('other\n'))
    const command = `for place in ${listed} ${other}; do curl -sS -w '%{http_code}\\n' "http://$place/" | tail -1; curl -sS -p "http://$place/" || echo no; done
curl -s --noproxy '*' http://${other}/ || echo no`
    const cwd = directoryOf(ordinaryUser)
    const confined = { cwd, sandbox: 'workspace', workspace: { network: { domains: [listed] } } }
    const { results } = await runHost<{ results: (BashResult & { thrown?: { message: string } })[] }>(
      'run-commands',
      {
        ordinaryUser,
        prefix: [profile],
        argument: {
          commands: [
            { command, options: confined },
            { command, options: { cwd } },
          ],
        },
      },
    )
    const [inMode, without] = results
    if (inMode?.thrown !== undefined) return cannotTest(inMode.thrown.message)

    expect(inMode?.output.replace(/^curl: .*\n/gm, '')).toBe('200\nlisted\n403\nno\nno\n')
    expect(without?.output).toContain('200\nother\n')
  })
})
