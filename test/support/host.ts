// A real Node process that uses the built package, for everything that must not happen to jest's own process.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ordinaryUserPrefix, packageRoot, packageRootForOrdinaryUser } from './as-user.js'
import { isAlive } from './processes.js'
import { waitFor } from './wait-for.js'

export interface HostOptions {
  /** Handed to the scenario; must survive JSON. */
  argument?: unknown
  /** The whole environment of the host; by default that of the tests. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Options of node itself, such as `--expose-gc`. */
  nodeOptions?: string[]
  /** Words before `node`: a program that ends in an exec of its arguments, so that the pid stays that of the host. */
  prefix?: string[]
  /** Likewise, before the user is changed. */
  outerPrefix?: string[]
  ordinaryUser?: boolean
}

export interface HostExit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Host {
  pid: number
  /** The first report with this key, now or later; its value. Rejects when the host ends without it. */
  report<T>(key: string): Promise<T>
  /** Resolves when it has ended, by whatever way; rejects when it has not within the deadline. */
  exited(deadlineMs?: number): Promise<HostExit>
  kill(signal: NodeJS.Signals): void
  /** What it has printed to stderr so far. */
  stderr(): string
}

type Report = Record<string, unknown>

const running = new Set<ChildProcess>()

const rootFor = (ordinaryUser: boolean): string => {
  if (!existsSync(join(packageRoot, 'dist/index.js'))) {
    throw new Error('dist/ is missing: host processes load the built package (npm run build)')
  }
  return ordinaryUser ? packageRootForOrdinaryUser() : packageRoot
}

/**
 * Starts `test/fixtures/hosts/<scenario>.cjs` in a Node process of its own, in a session of its own, so that a
 * signal to the host's process group never reaches the tests. What the scenario returns is its report `result`.
 */
export const startHost = (scenario: string, options: HostOptions = {}): Host => {
  const {
    argument = null,
    env = process.env,
    cwd = '/',
    nodeOptions = [],
    prefix = [],
    outerPrefix = [],
  } = options
  const ordinaryUser = options.ordinaryUser === true
  const root = rootFor(ordinaryUser)
  const main = join(root, 'test/fixtures/host-main.cjs')
  const words = [
    ...outerPrefix,
    ...(ordinaryUser ? ordinaryUserPrefix() : []),
    ...prefix,
    process.execPath,
    ...nodeOptions,
    main,
  ]
  const [program = process.execPath, ...args] = words
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'pipe' })
  running.add(child)

  const reports: Report[] = []
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  createInterface({ input: child.stdout }).on('line', (line) => reports.push(JSON.parse(line) as Report))
  let exit: HostExit | undefined
  let closed = false
  child.once('error', (error) => {
    stderr += String(error)
    exit = { code: null, signal: null }
    closed = true
    running.delete(child)
  })
  child.once('exit', (code, signal) => {
    exit = { code, signal }
    running.delete(child)
  })
  child.once('close', () => {
    closed = true
  })
  // By stdin and not by argv or environ: a marker in it must not make the host look like a part of the command.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ root, scenario, argument }))

  const report = async <T>(key: string): Promise<T> => {
    const found = await waitFor(
      () => reports.find((entry) => key in entry) ?? (closed ? 'closed' : undefined),
      { what: `the report ${key} of host ${scenario}`, deadlineMs: 170_000 },
    )
    if (found === 'closed') {
      throw new Error(`host ${scenario} ended with ${JSON.stringify(exit)}, without ${key}:\n${stderr}`)
    }
    return found[key] as T
  }
  return {
    pid: child.pid ?? 0,
    report,
    exited: (deadlineMs = 30_000) => waitFor(() => exit, { what: `host ${scenario} to end`, deadlineMs }),
    kill: (signal) => {
      child.kill(signal)
    },
    stderr: () => stderr,
  }
}

/** Runs a scenario to its end and resolves with what it returned. */
export const runHost = async <T>(scenario: string, options: HostOptions = {}): Promise<T> => {
  const host = startHost(scenario, options)
  const result = await host.report<T>('result')
  await host.exited()
  return result
}

/** Kills the hosts that a failed test has left running. For `afterEach`. */
export const killHosts = async (): Promise<void> => {
  for (const child of [...running]) {
    const pid = child.pid ?? 0
    child.kill('SIGKILL')
    await waitFor(() => !isAlive(pid), { what: `host ${pid} to end` })
  }
}
