// The connections of a worker to Redis. BullMQ makes two more, with the options of the first: each of its queues blocks one.

import type { Redis, RedisOptions } from 'ioredis'
import { connect } from '../redis/connection.js'
import type { FleetWorkerOptions } from './options.js'

/** Seconds that a queue without jobs is waited for at a time. */
export const drainDelay = 5

export class Connections {
  readonly redis: Redis
  readonly live: Redis
  readonly subscriber: Redis

  /** @param failed told about each error; they connect again by themselves */
  constructor({ redis, timings }: FleetWorkerOptions, failed: (error: unknown) => void) {
    // One that is half-open answers nothing, and would leave the worker deaf. Longer than a queue blocks.
    const socketTimeout = Math.max(2 * timings.ttlMs, 2000 * drainDelay)
    const open = (changes: RedisOptions = {}) =>
      connect(redis, { socketTimeout, ...changes }).on('error', failed)
    this.redis = open()
    // Live output that waits for a Redis that is away is none.
    this.live = open({ enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
    this.subscriber = open()
  }

  /** Only what expects an answer finds out that none comes, and the subscriber asks for nothing else. */
  async probe(): Promise<void> {
    if (this.subscriber.status === 'ready') await this.subscriber.ping()
  }

  disconnect(): void {
    for (const redis of [this.redis, this.live, this.subscriber]) redis.disconnect()
  }
}
