// The name of a worker in Redis: taken, kept by heartbeats, and given up.

import type { Redis } from 'ioredis'
import type { NodeInfo } from '../answer.js'
import type { WorkerTimings } from '../limits.js'
import { nodeKey, nodesKey } from '../names.js'
import { heartbeatScript, resignScript, runScript } from '../redis/scripts.js'

/** What a heartbeat finds: the name is another process's, it is this one's, or nobody has it. */
const foreign = 0
const own = 1
const missing = 2

export class Registration {
  readonly #redis: Redis
  readonly #timings: WorkerTimings
  readonly #describe: () => NodeInfo
  readonly #recall: () => Promise<void>
  readonly #failed: (error: unknown) => void
  #isBeating = false
  #recalling: Promise<void> | undefined
  /** Redis was away, and may have lost some of what it knew: a replica may have taken its place. */
  #hasDoubts = false

  /**
   * @param recall tells Redis what this disk has: who sees the name must be able to rely on that
   * @param failed told about what is tried again
   */
  constructor(
    redis: Redis,
    timings: WorkerTimings,
    describe: () => NodeInfo,
    recall: () => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.#redis = redis
    this.#timings = timings
    this.#describe = describe
    this.#recall = recall
    this.#failed = failed
    redis.on('close', () => {
      this.#hasDoubts = true
    })
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
      const isFree = holder === undefined || dead !== ''
      if (isFree) await this.#recallOnce()
      if ((await this.#beat(dead, isFree)) === own) return true
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

  /**
   * @returns whether the name is still this process's; undefined while another one is on its way to Redis
   * @throws as Redis
   */
  async beat(): Promise<boolean | undefined> {
    // What waits for Redis already is sent when it is back.
    if (this.#isBeating) return undefined
    this.#isBeating = true
    try {
      let found = await this.#beat('', false)
      if (found === missing) {
        await this.#recallOnce()
        found = await this.#beat('', true)
      }
      return found !== foreign
    } finally {
      this.#isBeating = false
    }
  }

  /** After Redis was away; heartbeats go on meanwhile. @throws as Redis */
  async recallInDoubt(): Promise<void> {
    if (this.#hasDoubts) await this.#recallOnce()
  }

  async #recallOnce(): Promise<void> {
    this.#hasDoubts = false
    this.#recalling ??= this.#recall().finally(() => {
      this.#recalling = undefined
    })
    try {
      await this.#recalling
    } catch (error) {
      this.#hasDoubts = true
      throw error
    }
  }

  async #beat(dead: string, mayAppear: boolean): Promise<number> {
    const info = this.#describe()
    const args = [info.incarnation, JSON.stringify(info), this.#timings.ttlMs, dead, mayAppear ? 1 : 0]
    const found = await runScript(this.#redis, heartbeatScript, [nodeKey(info.id)], args)
    // In another slot. Its memory may be full: the name is there already, then.
    if (found === own) this.#redis.sadd(nodesKey, info.id).catch(this.#failed)
    return Number(found)
  }

  async resign(): Promise<void> {
    const { id, incarnation } = this.#describe()
    await runScript(this.#redis, resignScript, [nodeKey(id)], [incarnation])
    await this.#redis.srem(nodesKey, id)
  }
}
