// What workers send to a client: streams of its own, read by one blocking connection, and its signs of life.

import type { Redis } from 'ioredis'
import { aliveKey, inboxKey, outputKey } from '../names.js'
import { aliveScript, runScript } from '../redis/scripts.js'

/** The fields of an entry, by their letters: see `Notices` of the worker. */
export type Message = Readonly<Record<string, string>>

/** Milliseconds that a read waits for something to read. */
export const blockMs = 5000
const pauseMs = 100
const perRead = 500

export class Inbox {
  readonly #client: string
  readonly #redis: Redis
  readonly #reader: Redis
  readonly #deliver: (message: Message) => void
  readonly #lastIds: [inbox: string, output: string] = ['0', '0']
  #isClosed = false
  #reading: Promise<void> | undefined

  /** @param reader a connection that nobody else uses */
  constructor(client: string, redis: Redis, reader: Redis, deliver: (message: Message) => void) {
    this.#client = client
    this.#redis = redis
    this.#reader = reader
    this.#deliver = deliver
  }

  /** A sign of life. The streams are there after it. */
  async beat(aliveMs: number): Promise<void> {
    const keys = [aliveKey(this.#client), inboxKey(this.#client), outputKey(this.#client)]
    await runScript(this.#redis, aliveScript, keys, [aliveMs, Math.max(10 * aliveMs, 60_000)])
  }

  start(): void {
    // A Redis that has forgotten everything counts anew: what comes twice is told apart by whom it is for.
    this.#reader.on('ready', () => this.#lastIds.fill('0'))
    this.#reading = this.#read()
  }

  async #read(): Promise<void> {
    const streams = [inboxKey(this.#client), outputKey(this.#client)]
    while (!this.#isClosed) {
      try {
        const ids = [...this.#lastIds]
        const got = await this.#reader.xread(
          ...(['COUNT', perRead, 'BLOCK', blockMs, 'STREAMS', ...streams, ...ids] as never as [
            'STREAMS',
            string,
          ]),
        )
        for (const [stream, entries] of got ?? []) this.#take(streams.indexOf(String(stream)), entries)
      } catch {
        if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  #take(index: number, entries: readonly (readonly [string, string[]])[]): void {
    for (const [id, fields] of entries) {
      this.#lastIds[index] = id
      const message: Record<string, string> = {}
      for (let at = 0; at + 1 < fields.length; at += 2) message[fields[at] ?? ''] = fields[at + 1] ?? ''
      this.#deliver(message)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#reader.disconnect()
    await this.#reading
    const keys = [aliveKey(this.#client), inboxKey(this.#client), outputKey(this.#client)]
    await this.#redis.del(...keys)
  }
}
