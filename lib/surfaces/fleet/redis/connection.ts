// Connections to Redis, by ioredis: those of a fleet wait for a Redis that is away, and say nothing.

import type { Writable } from 'node:stream'
import { Redis, type RedisOptions } from 'ioredis'
import { checkInteger, checkObject, checkType, invalidInput } from '../../../base/util/invalid-input.js'

/** Where Redis is. */
export interface FleetConnection {
  /** `redis://host:port`, or `rediss://` for TLS; without a password. */
  url?: string | undefined
  /** Default `127.0.0.1`. */
  host?: string | undefined
  /** Default 6379. */
  port?: number | undefined
  username?: string | undefined
  password?: string | undefined
  /** Options of `tls.connect()`; `{}` for TLS with the system's authorities. Default: none, unless the URL says so. */
  tls?: object | undefined
}

const names = [
  ...['url', 'host', 'port', 'username', 'password', 'tls'],
] as const satisfies readonly (keyof FleetConnection)[]

/** Never in a message: what was given may hold a password. */
export function checkConnection(field: string, value: unknown): RedisOptions {
  const given = checkObject(field, typeof value === 'string' ? { url: value } : value, names)
  const of = (name: 'url' | 'host' | 'username' | 'password') =>
    checkType<string>(`${field}.${name}`, given[name], 'string')
  const { host, port, tls, username } = urlOptions(`${field}.url`, of('url'))
  const own = given.port === undefined ? port : checkInteger(`${field}.port`, given.port, [1, 65_535])
  const secure = given.tls === undefined ? tls : checkObject(`${field}.tls`, given.tls)
  const user = of('username') ?? username
  const password = of('password')
  return {
    host: of('host') ?? host ?? '127.0.0.1',
    port: own ?? 6379,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    ...(secure !== undefined && { tls: secure }),
  }
}

interface UrlOptions {
  host?: string
  port?: number
  username?: string
  tls?: object
}

/** @throws {BashError} ERR_INVALID_INPUT */
function urlOptions(field: string, text: string | undefined): UrlOptions {
  if (text === undefined) return {}
  const need = 'must be a URL such as rediss://host:6379, without a password'
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw invalidInput(field, need, 'something else')
  }
  const { protocol, hostname, port, username, password, pathname } = url
  const isRedis = protocol === 'redis:' || protocol === 'rediss:'
  // A number of a database would be ignored: clusters have none.
  if (!isRedis || password !== '' || hostname === '' || !['', '/', '/0'].includes(pathname)) {
    throw invalidInput(field, need, password === '' ? text : 'one with a password')
  }
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}

const longestRetryMs = 500

/** What is asked of it while Redis is away waits until it is back. */
export function connect(options: RedisOptions, changes: RedisOptions = {}): Redis {
  const redis = new Redis({
    ...options,
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(50 * times, longestRetryMs),
    ...changes,
    // In lists, as the scripts and their readers have them.
    protocol: 2,
  } as RedisOptions & { replyMapping?: 'legacy' })
  redis.on('connect', () => gatherWrites(redis))
  // Each queue on it has listeners of its own.
  redis.setMaxListeners(0)
  // It tries again by itself; who waits has a deadline.
  redis.on('error', () => {})
  return redis
}

/**
 * What is written in one turn of the event loop goes out with one system call: those were a fifth of a busy worker's time. Not by
 * `enableAutoPipelining`: of a pipeline that a lost connection has cut ioredis sends nothing again.
 */
function gatherWrites(redis: Redis): void {
  const { stream } = redis as unknown as { stream: Writable }
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  let isGathering = false
  stream.write = (...args: unknown[]) => {
    if (!isGathering) {
      isGathering = true
      stream.cork()
      process.nextTick(() => {
        isGathering = false
        stream.uncork()
      })
    }
    return write(...args)
  }
}
