// What workers say of themselves.

import type { Redis } from 'ioredis'
import type { NodeInfo } from '../answer.js'
import { nodeKey, nodesKey } from '../names.js'

interface Seen {
  at: number
  info: Promise<NodeInfo | undefined>
}

export class Nodes {
  readonly #redis: Redis
  readonly #freshMs: number
  readonly #seen = new Map<string, Seen>()

  /** @param freshMs what was read is believed so long */
  constructor(redis: Redis, freshMs: number) {
    this.#redis = redis
    this.#freshMs = freshMs
  }

  /** @returns undefined when it is not there */
  async get(worker: string): Promise<NodeInfo | undefined> {
    const now = performance.now()
    const seen = this.#seen.get(worker)
    if (seen !== undefined && now - seen.at < this.#freshMs) return await seen.info
    const info = this.#redis.get(nodeKey(worker)).then(readNode)
    this.#seen.set(worker, { at: now, info })
    info.catch(() => this.#seen.delete(worker))
    return await info
  }

  /**
   * Waits until it is there: after Redis was away a heartbeat needs a moment.
   *
   * @param until milliseconds of performance.now()
   */
  async await(worker: string, until: number): Promise<NodeInfo | undefined> {
    for (;;) {
      const node = await this.get(worker)
      if (node !== undefined || performance.now() > until) return node
      await new Promise((resolve) => setTimeout(resolve, this.#freshMs))
    }
  }

  /** To be read anew. */
  forget(worker: string): void {
    this.#seen.delete(worker)
  }

  /** Those that are there. */
  async list(): Promise<NodeInfo[]> {
    const names = (await this.#redis.smembers(nodesKey)).sort()
    // Not by MGET: in a cluster they are in different slots.
    const nodes = await Promise.all(names.map((name) => this.get(name)))
    return nodes.filter((node) => node !== undefined)
  }
}

export function readNode(text: string | null): NodeInfo | undefined {
  return text === null ? undefined : (JSON.parse(text) as NodeInfo)
}
