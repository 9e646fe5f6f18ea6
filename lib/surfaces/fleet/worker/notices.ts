// What a worker sends to the inboxes of clients. All of it is only faster: what counts is kept under the worker's own keys.
// Fields: t type, c sending, k reply token; of 's' (it runs) b whether it begins now, y how the command is shown; of 'o'
// (output) p bytes before it, x text; 'r': there is an answer.

import type { Redis } from 'ioredis'
import { inboxEntries, outputEntries } from '../limits.js'
import { inboxKey, outputKey } from '../names.js'

/** Who is told about a call. */
export interface Listener {
  client: string
  sending: string
  reply: string
}

export class Notices {
  readonly #redis: Redis
  readonly #failed: (error: unknown) => void
  readonly #sending = new Set<Promise<unknown>>()

  /**
   * @param redis a connection on which nothing waits for a Redis that is away
   * @param failed told why something was not sent
   */
  constructor(redis: Redis, failed: (error: unknown) => void) {
    this.#redis = redis
    this.#failed = failed
  }

  runs(listener: Listener, begins: boolean, display?: string): void {
    const fields = [...(begins ? ['b', '1'] : []), ...(display === undefined ? [] : ['y', display])]
    this.#note(this.#send(inboxKey(listener.client), inboxEntries, listener, 's', fields))
  }

  answered(listener: Listener): void {
    this.#note(this.#send(inboxKey(listener.client), inboxEntries, listener, 'r', []))
  }

  /** Never rejects: what could not be sent counts as dropped. */
  async printed(listener: Listener, at: number, text: string): Promise<void> {
    const fields = ['p', String(at), 'x', text]
    await this.#send(outputKey(listener.client), outputEntries, listener, 'o', fields).catch(this.#failed)
  }

  /** When all that was begun is sent, or has failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#sending)
  }

  /** The streams are made by their clients only: nobody would remove those of a client that is gone. */
  async #send(
    stream: string,
    entries: number,
    { sending, reply }: Listener,
    type: string,
    fields: readonly string[],
  ): Promise<void> {
    const all = ['t', type, 'c', sending, 'k', reply, ...fields]
    await this.#redis.xadd(stream, 'NOMKSTREAM', 'MAXLEN', '~', entries, '*', ...all)
  }

  #note(sending: Promise<void>): void {
    const noted = sending.catch(this.#failed).finally(() => this.#sending.delete(noted))
    this.#sending.add(noted)
  }
}
