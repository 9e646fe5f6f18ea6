// A fleet of a test: Redis, workers as processes of their own, clients in this one, and a file that counts what ran.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  createFleet,
  type Fleet,
  type FleetContext,
  type FleetOptions,
} from '../../../lib/surfaces/fleet/fleet.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { binPath } from '../cli/program.js'
import { type RedisOptions, RedisServer } from './redis-server.js'

/** Short enough for tests, and long enough for a loaded machine. */
export const timings = { beatMs: 200, aliveMs: 4000, watchMs: 100, patienceMs: 6000 }
const workerTimings = ['--heartbeat', '0.2', '--ttl', '4']

export interface WorkerProcess {
  id: string
  pid: number
  kill(signal: NodeJS.Signals): void
  /** Its exit status, or the signal that has ended it. */
  exited(): Promise<number | NodeJS.Signals>
  stderr(): string
}

const open = new Set<TestFleet>()

export interface TestFleetOptions extends RedisOptions {
  workers?: string[]
  /** Of every worker. */
  args?: string[]
}

export class TestFleet {
  readonly redis: RedisServer
  readonly directory = tempDir()
  readonly keys = generateKeyPairSync('ed25519')
  readonly keyFile = join(this.directory, 'accept.pem')
  readonly #args: string[]
  readonly #children = new Set<ChildProcess>()
  readonly #fleets = new Set<Fleet>()

  private constructor(options: TestFleetOptions) {
    this.redis = new RedisServer(options)
    this.#args = options.args ?? []
    writeFileSync(this.keyFile, this.keys.publicKey.export({ format: 'pem', type: 'spki' }))
  }

  static async start(options: TestFleetOptions = {}): Promise<TestFleet> {
    const fleet = new TestFleet(options)
    open.add(fleet)
    await fleet.redis.start()
    await Promise.all((options.workers ?? ['w1']).map((id) => fleet.worker(id)))
    return fleet
  }

  state = (id: string): string => join(this.directory, `state-${id}`)
  workspaces = (id: string): string => join(this.directory, `ws-${id}`)

  /** The command line of a worker, after `bashward`. */
  workerArgs(id: string, args: readonly string[] = []): string[] {
    return [
      ...['worker', '--id', id, '--redis', this.redis.url, '--redis-password-fd', '3', '--as-root'],
      ...['--workspaces', this.workspaces(id), '--state', this.state(id), '--accept-keys', this.keyFile],
      ...workerTimings,
      ...this.#args,
      ...args,
    ]
  }

  /** Starts one, and resolves when it takes calls. */
  async worker(
    id: string,
    args: readonly string[] = [],
    password = this.redis.password,
  ): Promise<WorkerProcess> {
    const worker = this.startWorker(id, args, password)
    await worker.ready
    return worker
  }

  startWorker(
    id: string,
    args: readonly string[] = [],
    password = this.redis.password,
  ): WorkerProcess & { ready: Promise<void> } {
    const secret = this.#descriptor(password)
    const key = this.#descriptor('7'.repeat(64))
    const { PATH = '', HOME = '/' } = process.env
    const child = spawn(process.execPath, [binPath, ...this.workerArgs(id, args)], {
      cwd: '/',
      env: { PATH, HOME, XDG_STATE_HOME: this.directory, LANG: 'C.UTF-8', SHLVL: '1' },
      stdio: ['ignore', 'pipe', 'pipe', secret, key],
    })
    closeSync(secret)
    closeSync(key)
    this.#children.add(child)
    let [stdout, stderr] = ['', '']
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      stdout += piece
    })
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece
    })
    const exited = new Promise<number | NodeJS.Signals>((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? -1))
    })
    const ready = waitFor(
      () => stdout.includes('ready') || child.exitCode !== null || child.signalCode !== null,
      {
        what: `worker ${id} to be ready`,
        deadlineMs: 30_000,
      },
    ).then(() => {
      if (!stdout.includes('ready')) throw new Error(`worker ${id} ended: ${stderr}`)
    })
    ready.catch(() => {})
    return {
      id,
      pid: child.pid ?? 0,
      kill: (signal) => void child.kill(signal),
      exited: () => exited,
      stderr: () => stderr,
      ready,
    }
  }

  async client(options: Partial<FleetOptions> = {}): Promise<Fleet> {
    const fleet = await createFleet({ ...this.clientOptions, ...options })
    this.#fleets.add(fleet)
    return fleet
  }

  get clientOptions() {
    const { port, password } = this.redis
    const signingKey = this.keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    return { connection: { host: '127.0.0.1', port, password }, signingKey, timings }
  }

  #descriptor(text: string): number {
    const path = join(mkdtempSync(join(this.directory, 'secret-')), 'secret')
    writeFileSync(path, `${text}\n`, { mode: 0o600 })
    const descriptor = openSync(path, 'r')
    unlinkSync(path)
    return descriptor
  }

  get runsFile(): string {
    return join(this.directory, 'runs')
  }

  /** A command that notes that it has begun, and goes on with another one. */
  noting = (id: string, command = 'echo out'): string => `echo ${id} >> ${this.runsFile}; ${command}`

  /** One that runs until {@link go} is called. */
  waiting = (id: string): string =>
    this.noting(
      id,
      `until [ -e ${this.directory}/go-${id} ]; do sleep 0.02; done; echo end-${id} >> ${this.runsFile}; echo out`,
    )

  go(id: string): void {
    writeFileSync(join(this.directory, `go-${id}`), '')
  }

  /** How often the command of a call has begun. */
  runs(id: string): number {
    if (!existsSync(this.runsFile)) return 0
    return readFileSync(this.runsFile, 'utf8')
      .split('\n')
      .filter((line) => line === id).length
  }

  async begun(id: string): Promise<void> {
    await waitFor(() => this.runs(id) > 0, { what: `the command ${id} to begin`, deadlineMs: 20_000 })
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#fleets].map((fleet) => fleet.close()))
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await gone
    }
    await this.redis.stop()
  }
}

/** For `afterEach`. */
export const stopFleets = async (): Promise<void> => {
  const all = [...open]
  open.clear()
  await Promise.all(all.map((fleet) => fleet.stop()))
}

let calls = 0

/** Another call each time. */
export const context = <Result>(
  conversationId: string,
  more: Partial<FleetContext<Result>> = {},
): FleetContext<Result> => {
  calls += 1
  return { conversationId, toolCallId: `call ${calls}`, ...more }
}
