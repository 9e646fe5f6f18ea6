// A private redis-server on loopback, with a password and a directory of its own. It is the one that is on PATH.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

export interface RedisOptions {
  /** Keeps what it is told in a file. Default: it forgets everything when it ends. */
  aof?: boolean
  /** As a cluster of one node. */
  cluster?: boolean
  /** Bytes; default 256 MiB. */
  maxMemory?: number
}

/** Why there is none; undefined: it can be started. */
export const noRedis = (): string | undefined => {
  const { error } = spawnSync('redis-server', ['--version'])
  return error === undefined ? undefined : 'redis-server is not on PATH'
}

const freePort = async (): Promise<number> =>
  await new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

export class RedisServer {
  readonly password = randomBytes(12).toString('hex')
  readonly #directory = tempDir()
  readonly #options: RedisOptions
  #port = 0
  #child: ChildProcess | undefined
  #client: Redis | undefined

  constructor(options: RedisOptions = {}) {
    this.#options = options
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** A connection of the test's own. */
  get client(): Redis {
    this.#client ??= new Redis({
      host: '127.0.0.1',
      port: this.#port,
      password: this.password,
      maxRetriesPerRequest: null,
      protocol: 2,
    }).on('error', () => {})
    return this.#client
  }

  /**
   * Also once more, after {@link kill}: with what it has kept, on the same port. The first time it is one that has been there
   * for long, and nobody waits for what workers may have to tell it.
   */
  async start(): Promise<this> {
    const isFirst = this.#port === 0
    const { aof = false, cluster = false, maxMemory = 256 * 1024 * 1024 } = this.#options
    for (let left = 5; this.#child === undefined; left -= 1) {
      // Somebody else may take the port meanwhile.
      const port = this.#port === 0 ? await freePort() : this.#port
      const settings = {
        port,
        bind: '127.0.0.1',
        save: '',
        appendonly: aof ? 'yes' : 'no',
        appendfsync: 'everysec',
        dir: this.#directory,
        requirepass: this.password,
        maxmemory: maxMemory,
        'maxmemory-policy': 'noeviction',
        loglevel: 'warning',
        logfile: 'log',
        ...(cluster && { 'cluster-enabled': 'yes', 'cluster-port': await freePort() }),
      }
      const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
      const child = spawn('redis-server', args, { stdio: 'ignore' })
      const answers = await waitFor(
        async () => (child.exitCode === null ? await ping(port, this.password) : 'ended'),
        {
          what: 'redis-server to answer',
          deadlineMs: 20_000,
        },
      )
      if (answers === 'ended' && left > 0) continue
      if (answers === 'ended') throw new Error('redis-server does not start')
      this.#port = port
      this.#child = child
    }
    if (cluster) await this.#makeCluster()
    if (isFirst) await this.beOld()
    return this
  }

  /** As one that was started long ago. */
  async beOld(): Promise<void> {
    const [, run = ''] = /run_id:(\w+)/.exec(await this.client.info('server')) ?? []
    await this.client.hset('bw:since', { run, at: 0 })
  }

  async #makeCluster(): Promise<void> {
    await this.client.cluster('ADDSLOTSRANGE' as never, '0' as never, '16383' as never)
    await waitFor(async () => String(await this.client.cluster('INFO')).includes('cluster_state:ok'), {
      what: 'the cluster to be there',
      deadlineMs: 20_000,
    })
  }

  /** Resolves when it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  async stop(): Promise<void> {
    this.#client?.disconnect()
    await this.kill()
  }
}

/** Whether it takes commands: it may be loading. */
const ping = async (port: number, password: string): Promise<boolean> => {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    password,
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  }).on('error', () => {})
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}
