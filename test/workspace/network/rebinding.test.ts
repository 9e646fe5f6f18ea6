// A name that is listed leads nowhere else by what its name server says: the proxy asks it once, judges the answer, and
// connects to that. Tried with a real name server, and a second network namespace as the other machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/index.js'
import { isRoot } from '../../support/as-user.js'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { directoryOf, users } from '../workspace-hosts.js'

/** They hold the other namespaces. */
const peers = new Set<ChildProcess>()

afterAll(killHosts)
afterAll(removeTempDirs)
afterAll(() => {
  for (const peer of peers) peer.kill('SIGKILL')
})

const port = 8080
/** Of the other machine: what is on the internet, and what is in a private network. */
const far = '11.77.0.2'
const farPrivate = '10.77.0.2'

const says = [[far], ['127.0.0.1']]

const names = {
  'rebound.example': says,
  'tunnelled.example': says,
  'checked.example': says,
  'mixed.example': [['127.0.0.1', far, farPrivate]],
  'private.example': [[farPrivate]],
  'local.example': [['127.0.0.1']],
}

/** Both ends get both addresses. */
const setUp = `ip link set lo up && ip link add near type veth peer name far netns "$1" &&
ip addr add 11.77.0.1/24 dev near && ip addr add 10.77.0.1/24 dev near && ip link set near up &&
nsenter --net="/proc/$1/ns/net" bash -c 'ip link set lo up && ip addr add ${far}/24 dev far && ip addr add ${farPrivate}/24 dev far && ip link set far up' &&
echo 53 >/proc/sys/net/ipv4/ip_unprivileged_port_start &&
mount --bind "$2/resolv.conf" /etc/resolv.conf && mount --bind "$2/nsswitch.conf" /etc/nsswitch.conf && shift 2 && exec "$@"`

/** Says to which of its addresses one has come. */
const otherMachine = `require("http").createServer((q, a) => a.end(q.socket.localAddress + "\\n")).listen(${port}, "0.0.0.0")`

const url = (name: string): string => `http://${name}:${port}/`
const fetched = (name: string): string => `curl -sS -m 20 ${url(name)}`
const status = (name: string, ...words: string[]): string =>
  `curl -s -m 20 -o /dev/null -w '%{http_code} %{http_connect}\\n' ${words.join(' ')} ${url(name)}`
const allowing = (name: string, ...commands: string[]) => ({
  name,
  domains: [`${name}:${port}`],
  command: commands.join('; '),
})

/** Judges where a name leads to, and then connects by the name. */
const checking = `require("dns").lookup("checked.example", async (_, address) => {
  console.log(address); console.log((await (await fetch("${url('checked.example')}")).text()).trim()) })`

const commands = [
  allowing('rebound.example', fetched('rebound.example'), status('rebound.example')),
  allowing('tunnelled.example', `${fetched('tunnelled.example')} -p`, status('tunnelled.example', '-p')),
  allowing('mixed.example', fetched('mixed.example')),
  allowing('private.example', status('private.example'), status('private.example', '-p')),
  allowing('local.example', status('local.example'), status('local.example', '-p')),
  { name: 'without a sandbox', command: `node -e '${checking}'; ${fetched('private.example')}` },
]

interface Told extends Partial<BashResult> {
  asked: Record<string, number>
  arrived: number
  refusal?: string
}

/** Why there can be no such namespaces. */
const obstacle = (): string | undefined => {
  const script =
    'ip link add near type veth peer name far && mount --bind /etc/hosts /etc/resolv.conf && echo 53 >/proc/sys/net/ipv4/ip_unprivileged_port_start'
  const words = ['--net', '--mount', 'bash', '-c', script]
  const { status: code, stderr, error } = spawnSync('unshare', words, { encoding: 'utf8' })
  return code === 0 ? undefined : `there can be no namespaces with a name server: ${error ?? stderr}`
}

const isApart = (namespace: string): boolean => readlinkSync(namespace) !== readlinkSync('/proc/self/ns/net')

describe.each(users)('as $user', ({ ordinaryUser }) => {
  let host: Host | undefined
  let reason: string | undefined

  beforeAll(async () => {
    if (!isRoot) return
    reason = obstacle()
    if (reason !== undefined) return
    const settings = tempDir()
    writeFileSync(join(settings, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:20 attempts:1\n')
    writeFileSync(join(settings, 'nsswitch.conf'), 'hosts: files dns\n')
    const peer = spawn('unshare', ['--net', process.execPath, '-e', otherMachine], { stdio: 'ignore' })
    peers.add(peer)
    await waitFor(() => isApart(`/proc/${peer.pid}/ns/net`), { what: 'the other namespace' })
    const directory = directoryOf(ordinaryUser)
    host = startHost('rebinding', {
      ordinaryUser,
      outerPrefix: ['unshare', '--net', '--mount', 'bash', '-c', setUp, 'bash', String(peer.pid), settings],
      argument: { commands, names, port, directory, other: url(far) },
    })
  })

  const told = async (name: string): Promise<Told | undefined> => {
    if (!isRoot) onlyRootCanTest('only root makes network devices')
    else if (host === undefined) cannotTest(reason ?? 'there is no host')
    else {
      const found = await host.report<Told>(name)
      if (found.refusal === undefined) return found
      cannotTest(found.refusal)
    }
    return undefined
  }

  const denied = (address: string) => [expect.objectContaining({ target: `${address}:${port}` })]

  test.each([
    ['a request', 'rebound.example', '403 000'],
    ['a tunnel', 'tunnelled.example', '000 403'],
  ])(
    '%s goes where the name led when it was judged, and nowhere when it leads here',
    async (_, name, refused) => {
      const found = await told(name)
      if (found === undefined) return

      expect(found).toEqual({
        output: `${far}\n${refused}\n`,
        denials: denied('127.0.0.1'),
        // Once for each request.
        asked: { [name]: 2 },
        arrived: 0,
      })
    },
  )

  test('of several addresses only one that is on the internet is taken', async () => {
    const found = await told('mixed.example')
    if (found === undefined) return

    expect(found).toEqual({ output: `${far}\n`, asked: { 'mixed.example': 1 }, arrived: 0 })
  })

  test.each([
    ['private.example', farPrivate],
    ['local.example', '127.0.0.1'],
  ])('%s, which leads to a private address, is refused', async (name, address) => {
    const found = await told(name)
    if (found === undefined) return

    expect(found).toMatchObject({ output: '403 000\n000 403\n', denials: denied(address), arrived: 0 })
  })

  test('without a sandbox a name that was judged leads to this machine, and another to a private network', async () => {
    const found = await told('without a sandbox')
    if (found === undefined) return

    expect(found).toMatchObject({ output: `${far}\nthis machine\n${farPrivate}\n`, arrived: 1 })
  })
})
