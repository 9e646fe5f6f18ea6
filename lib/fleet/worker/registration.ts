// The name of a worker in Redis: taken, kept by heartbeats, and given up.

import type { Redis } from 'ioredis'
import type { NodeInfo } from '../answer.js'
import type { WorkerTimings } from '../limits.js'
import { nodeKey, nodesKey } from '../names.js'
import { heartbeatScript, resignScript, runScript } from '../redis/scripts.js'

export class Registration {
  readonly #redis: Redis
  readonly #timings: WorkerTimings
  readonly #describe: () => NodeInfo
  #isBeating = false

  constructor(redis: Redis, timings: WorkerTimings, describe: () => NodeInfo) {
    this.#redis = redis
    this.#timings = timings
    this.#describe = describe
  }

  /**
   * A holder of the name with the same state directory is dead, since this process has the lock of that: its name is taken
   * at once. Any other one is waited for, until it would have shown itself.
   *
   * @returns whether the name is this process's
   */
  async take(): Promise<boolean> {
    const { id, state } = this.#describe()
    const until = performance.now() + 2 * this.#timings.ttlMs
    for (;;) {
      const held = await this.#redis.get(nodeKey(id))
      const holder = held === null ? undefined : (JSON.parse(held) as NodeInfo)
      const dead = holder?.state === state ? holder.incarnation : ''
      if (await this.#beat(dead)) return true
      const isAlive = holder !== undefined && (await this.#hasRenewed(holder))
      if (isAlive || performance.now() > until) return false
    }
  }

  /** @returns whether the holder of a name has renewed it meanwhile */
  async #hasRenewed({ id }: NodeInfo): Promise<boolean> {
    const before = await this.#redis.pttl(nodeKey(id))
    await new Promise((resolve) => setTimeout(resolve, this.#timings.heartbeatMs * 1.5))
    return (await this.#redis.pttl(nodeKey(id))) > before
  }

  /** @returns whether the name is still this process's; undefined while Redis is away, or slow */
  async beat(): Promise<boolean | undefined> {
    // What waits for Redis already is sent when it is back.
    if (this.#isBeating) return undefined
    this.#isBeating = true
    try {
      return await this.#beat('')
    } catch {
      return undefined
    } finally {
      this.#isBeating = false
    }
  }

  async #beat(dead: string): Promise<boolean> {
    const info = this.#describe()
    const args = [info.incarnation, JSON.stringify(info), this.#timings.ttlMs, dead]
    const kept = await runScript(this.#redis, heartbeatScript, [nodeKey(info.id)], args)
    // In another slot. Its memory may be full: the name is there already, then.
    this.#redis.sadd(nodesKey, info.id).catch(() => {})
    return kept === 1
  }

  async resign(): Promise<void> {
    const { id, incarnation } = this.#describe()
    await runScript(this.#redis, resignScript, [nodeKey(id)], [incarnation])
    await this.#redis.srem(nodesKey, id)
  }
}
