// Whatever a command binds and dials, its connections leave the machine in neither direction: tried with a second network
// namespace as the other machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { attackProgram, directoryOf } from '../../guard/sandbox/sandbox-hosts.js'
import { isRoot } from '../../support/as-user.js'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

const program = attackProgram()

/** They hold the other namespaces. */
const peers = new Set<ChildProcess>()

afterAll(killHosts)
afterAll(removeTempDirs)
afterAll(() => {
  for (const peer of peers) peer.kill('SIGKILL')
})

const isApart = (namespace: string): boolean => readlinkSync(namespace) !== readlinkSync('/proc/self/ns/net')

/** Why there can be no two namespaces. */
const obstacle = (): string | undefined => {
  const words = ['--net', 'ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far']
  const { status, stderr, error } = spawnSync('unshare', words, { encoding: 'utf8' })
  return status === 0 ? undefined : `there can be no pair of devices: ${error ?? stderr}`
}

/** Both ends get addresses; the one in the other namespace is number 2. */
const setUp = `ip link set lo up && ip link add near type veth peer name far netns "$1" &&
ip addr add 10.77.0.1/24 dev near && ip -6 addr add fd77::1/64 dev near nodad && ip link set near up &&
nsenter --net="/proc/$1/ns/net" bash -c 'ip link set lo up && ip addr add 10.77.0.2/24 dev far && ip -6 addr add fd77::2/64 dev far nodad && ip link set far up' &&
shift && exec "$@"`

const addresses = ['10.77.0.2', 'fd77::2', '::ffff:10.77.0.2']
const own = ['10.77.0.1', 'fd77::1']
const attempts = [...addresses.map((to) => `out to ${to}`), ...own.map((to) => `in to ${to}`)]

describe.each([
  {
    mode: 'in Workspace mode',
    sandbox: 'workspace',
    expected: /^connect: (ECONNREFUSED|ENETUNREACH|EPERM|ETIMEDOUT)$/,
  },
  { mode: 'without a sandbox', sandbox: 'unrestricted', expected: /^ok$/ },
])('$mode', ({ sandbox, expected }) => {
  let host: Host | undefined
  let reason: string | undefined

  beforeAll(async () => {
    if (!isRoot || program === undefined) return
    reason = obstacle()
    if (reason !== undefined) return
    const peer = spawn('unshare', ['--net', 'sleep', '600'], { stdio: 'ignore' })
    peers.add(peer)
    const namespace = `/proc/${peer.pid}/ns/net`
    await waitFor(() => isApart(namespace), { what: 'the other namespace' })
    const argument = { sandbox, program, namespace, addresses, own, directory: directoryOf(false) }
    const outerPrefix = ['unshare', '--net', 'bash', '-c', setUp, 'bash', String(peer.pid)]
    host = startHost('network-namespaces', { outerPrefix, argument })
  })

  // It ends what it has started beyond.
  afterAll(async () => {
    await host?.exited()
  })

  test.each(attempts)(
    '%s',
    async (attempt) => {
      if (!isRoot) return onlyRootCanTest('only root makes network devices')
      if (reason !== undefined) return cannotTest(reason)
      if (host === undefined) return cannotTest('there is no C compiler')
      expect(await host.report<string>(attempt)).toMatch(expected)
    },
    60_000,
  )
})
