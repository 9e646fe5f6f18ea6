// Hosts with a proxy of their own, each a process.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { CommandNetwork } from '../../../lib/guard/proxy/command-network.js'
import { packageRoot } from '../../support/as-user.js'
import { isAlive } from '../../support/processes.js'
import { closeProxies, type Wire, wire } from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'

const hosts = new Set<ChildProcess>()

/** For `afterEach`. */
export const endHosts = async (): Promise<void> => {
  closeProxies()
  for (const host of hosts) host.kill('SIGKILL')
  await waitFor(() => [...hosts].every((host) => !isAlive(host.pid ?? 0)), { what: 'the hosts to end' })
  hosts.clear()
}

interface HostOptions {
  root?: string
  domains?: string[]
  /** Whether nothing but the proxy could keep it alive. */
  idle?: boolean
  env?: NodeJS.ProcessEnv
  prefix?: string[]
}

const follow = (host: ChildProcessByStdio<Writable, Readable, null>) => {
  hosts.add(host)
  const lines: string[] = []
  createInterface({ input: host.stdout }).on('line', (line) => lines.push(line))
  return lines
}

/** A host that executes this script, and the lines that it prints. */
export const startScript = (script: string) => {
  const host = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { host, lines: follow(host) }
}

export const startHost = async ({
  root = packageRoot,
  domains = [],
  idle = false,
  env = process.env,
  prefix = [],
}: HostOptions = {}) => {
  const words = [
    ...prefix,
    process.execPath,
    join(root, 'test/fixtures/proxy-host.cjs'),
    join(root, 'dist/proxy/command-network.js'),
    JSON.stringify(domains),
    ...(idle ? ['idle'] : []),
  ]
  const host = spawn(words[0] ?? '', words.slice(1), { cwd: '/', env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = follow(host)
  const line = await waitFor(() => lines[0], { what: 'the network of the host', deadlineMs: 60_000 })
  return { host, answer: JSON.parse(line) as CommandNetwork }
}

/** The processes that a process has started. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })

export const proxyOf = async (host: ChildProcess): Promise<number> => {
  const [pid] = await waitFor(
    () => {
      const children = childrenOf(host.pid ?? 0)
      return children.length > 0 ? children : undefined
    },
    { what: 'the proxy of the host' },
  )
  return pid ?? 0
}

/** Stands for the supervisor of a command. */
export const takeUp = async ({ proxy }: CommandNetwork): Promise<Wire> => {
  const control = await wire(proxy.controlPort)
  control.send(proxy.grant)
  await control.comes('OK\n')
  return control
}

export const authorization = ({ secrets }: CommandNetwork): string =>
  `Proxy-Authorization: Basic ${secrets[1]}\r\n`

export const connectTo = (network: CommandNetwork, place: string): string =>
  `CONNECT ${place} HTTP/1.1\r\nHost: x\r\n${authorization(network)}\r\n`
