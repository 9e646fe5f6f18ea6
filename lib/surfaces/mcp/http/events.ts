// What was sent on the streams of sessions, for clients that come back for the rest. Of a token, all of its sessions together.

import { randomBytes } from 'node:crypto'
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

interface StoredEvent {
  session: SessionEvents
  id: string
  stream: string
  message: JSONRPCMessage
  bytes: number
}

/** Of each event, beside its message. */
const overheadBytes = 200

export class Events {
  readonly #maxBytes: number
  /** In their order, the oldest first. */
  readonly #kept = new Set<StoredEvent>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  add(event: StoredEvent): void {
    this.#kept.add(event)
    this.#bytes += event.bytes
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return
      oldest.session.forget(oldest)
      this.drop(oldest)
    }
  }

  drop(event: StoredEvent): void {
    if (this.#kept.delete(event)) this.#bytes -= event.bytes
  }
}

/** Those of one session: no other one's are found here, whatever a client asks for. */
export class SessionEvents implements EventStore {
  readonly #all: Events
  readonly #onStored: (stream: string) => void
  readonly #prefix = randomBytes(12).toString('hex')
  readonly #byId = new Map<string, StoredEvent>()
  #last = 0

  /** @param onStored told the stream of each event, before it is sent */
  constructor(all: Events, onStored: (stream: string) => void) {
    this.#all = all
    this.#onStored = onStored
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1
    const id = `${this.#prefix}-${this.#last}`
    const bytes = Buffer.byteLength(JSON.stringify(message)) + overheadBytes
    const event = { session: this, id, stream, message, bytes }
    this.#byId.set(id, event)
    this.#all.add(event)
    this.#onStored(stream)
    return id
  }

  /** Undefined: it is another session's, or was so long ago that what came after it is not known, either. */
  streamOf(id: string): string | undefined {
    return this.#byId.get(id)?.stream
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.streamOf(id)
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.streamOf(last)
    if (stream === undefined) throw new Error('there is no such event')
    let isAfter = false
    for (const event of [...this.#byId.values()]) {
      // The first event of a stream has no message: it only gives it an id.
      if (isAfter && event.stream === stream && 'jsonrpc' in event.message) {
        await send(event.id, event.message)
      }
      isAfter ||= event.id === last
    }
    return stream
  }

  forget({ id }: { id: string }): void {
    this.#byId.delete(id)
  }

  close(): void {
    for (const event of this.#byId.values()) this.#all.drop(event)
    this.#byId.clear()
  }
}
