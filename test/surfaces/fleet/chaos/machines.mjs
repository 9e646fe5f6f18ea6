// Redis and workers as processes that can be killed and started again.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'

const program = resolve(import.meta.dirname, '../../../../dist/cli/bin.js')

export const delay = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

/** @throws when it does not become true in time */
async function until(condition, what) {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await delay(20)
  }
}

async function freePort() {
  return await new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

/** Nothing outlives this program, however it ends by itself. */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

class Machine {
  #child

  get isUp() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid() {
    return this.#child?.pid ?? 0
  }

  run(file, args, options) {
    const child = spawn(file, args, options)
    running.add(child)
    child.once('exit', () => running.delete(child))
    this.#child = child
    return child
  }

  signal(signal) {
    if (this.isUp) this.#child.kill(signal)
  }

  async kill() {
    if (!this.isUp) return
    const gone = new Promise((done) => this.#child.once('exit', done))
    this.#child.kill('SIGKILL')
    await gone
  }
}

export class RedisMachine extends Machine {
  password = randomBytes(12).toString('hex')
  #directory
  #keeps

  /** @param keeps whether it has its data back after a kill */
  constructor(directory, keeps) {
    super()
    this.#directory = directory
    this.#keeps = keeps
  }

  async start() {
    this.port ??= await freePort()
    const settings = {
      port: this.port,
      bind: '127.0.0.1',
      save: '',
      appendonly: this.#keeps ? 'yes' : 'no',
      dir: this.#directory,
      requirepass: this.password,
      maxmemory: '512mb',
      'maxmemory-policy': 'noeviction',
      logfile: 'redis.log',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    this.run('redis-server', args, { stdio: 'ignore' })
    await until(() => this.#answers(), 'redis-server')
  }

  async #answers() {
    return await this.#ask(async (redis) => (await redis.ping()) === 'PONG').catch(() => false)
  }

  /** What Redis says of itself. */
  async info() {
    return await this.#ask((redis) => redis.info())
  }

  async #ask(question) {
    const options = { host: '127.0.0.1', port: this.port, password: this.password, lazyConnect: true }
    const redis = new Redis({ ...options, retryStrategy: () => null, maxRetriesPerRequest: 0 })
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await question(redis)
    } finally {
      redis.disconnect()
    }
  }
}

export class WorkerMachine extends Machine {
  #id
  #directory
  #redis
  #keyFile
  #args
  #generation = 0

  constructor(id, directory, redis, keyFile, args = ['--heartbeat', '0.3', '--ttl', '3']) {
    super()
    this.#id = id
    this.#directory = join(directory, id)
    this.#redis = redis
    this.#keyFile = keyFile
    this.#args = args
    mkdirSync(this.#directory)
  }

  /** Resolves when it was started; it takes calls a little later. */
  start() {
    this.#generation += 1
    const secret = join(this.#directory, 'secret')
    writeFileSync(secret, this.#redis.password, { mode: 0o600 })
    const descriptor = openSync(secret, 'r')
    const args = [
      ...[program, 'worker', '--id', this.#id, '--as-root', '--redis-password-fd', '3'],
      ...['--redis', `redis://127.0.0.1:${this.#redis.port}`, '--accept-keys', this.#keyFile],
      ...['--workspaces', join(this.#directory, 'ws'), '--state', join(this.#directory, 'state')],
      ...this.#args,
    ]
    const log = openSync(join(this.#directory, `log-${this.#generation}`), 'w')
    this.run(process.execPath, args, { stdio: ['ignore', log, log, descriptor], cwd: '/' })
    closeSync(descriptor)
    closeSync(log)
  }
}
