// What can be seen of workers from outside: what they say of themselves, and what waits for them.

import type { Redis, RedisOptions } from 'ioredis'
import type { NodeInfo } from '../answer.js'
import { execQueue, jobKey, nodeKey, nodesKey, waitKey, workerPrefix } from '../names.js'
import { connect } from '../redis/connection.js'

export interface WorkerStatus {
  id: string
  /** Null: it is not there. */
  node: NodeInfo | null
  /** Calls that wait for it. */
  waiting: number
  /** Those that it has taken: they run, or wait for others of their conversation. */
  active: number
  /** Milliseconds that the oldest of those that wait has waited; null: none does. */
  oldestMs: number | null
}

/** @throws when Redis is not there, or refuses its credentials */
export async function readStatus(options: RedisOptions, id: string | undefined): Promise<WorkerStatus[]> {
  const redis = connect(options, { retryStrategy: () => null, enableOfflineQueue: false, lazyConnect: true })
  try {
    await redis.connect()
    const names = id === undefined ? (await redis.smembers(nodesKey)).sort() : [id]
    return await Promise.all(names.map((name) => statusOf(redis, name)))
  } finally {
    redis.disconnect()
  }
}

async function statusOf(redis: Redis, id: string): Promise<WorkerStatus> {
  const [text, waiting, active, oldest, [seconds]] = await Promise.all([
    redis.get(nodeKey(id)),
    redis.llen(waitKey(id, execQueue)),
    redis.llen(`${workerPrefix(id)}:${execQueue}:active`),
    // The next one to be taken is the last.
    redis.lindex(waitKey(id, execQueue), -1),
    redis.time(),
  ])
  const since = oldest === null ? null : await redis.hget(jobKey(id, execQueue, oldest), 'timestamp')
  return {
    id,
    node: text === null ? null : (JSON.parse(text) as NodeInfo),
    waiting,
    active,
    oldestMs: since === null ? null : Math.max(Number(seconds) * 1000 - Number(since), 0),
  }
}
