// What workers say of themselves.

import type { Redis } from 'ioredis'
import type { NodeInfo } from '../answer.js'
import { forgottenNodeMs } from '../limits.js'
import { missingNodesKey, nodeKey, nodesKey } from '../names.js'
import { forgetNodesScript, runScript } from '../redis/scripts.js'
import { tellFault } from './tell.js'

/** Between two looks for names that can be forgotten. */
const lookMs = 60_000

interface Seen {
  at: number
  info: Promise<NodeInfo | undefined>
}

export class Nodes {
  readonly #redis: Redis
  readonly #freshMs: number
  readonly #seen = new Map<string, Seen>()
  #lookedAt = Number.NEGATIVE_INFINITY

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
    const there = nodes.filter((node) => node !== undefined)
    const missing = names.filter((name) => there.every(({ id }) => id !== name))
    this.#forgetOld(there, missing).catch((error: unknown) => tellFault(undefined, error))
    return there
  }

  /** A worker that is there again has itself listed with its next heartbeat. */
  async #forgetOld(there: readonly NodeInfo[], missing: readonly string[]): Promise<void> {
    if (performance.now() - this.#lookedAt < lookMs) return
    this.#lookedAt = performance.now()
    const keys = [nodesKey, missingNodesKey]
    const names = [...there.map(({ id }) => id), ...missing]
    await runScript(this.#redis, forgetNodesScript, keys, [forgottenNodeMs, there.length, ...names])
  }
}

export function readNode(text: string | null): NodeInfo | undefined {
  return text === null ? undefined : (JSON.parse(text) as NodeInfo)
}
