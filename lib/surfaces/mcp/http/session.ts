// A session of the protocols of 2025: a client that stays, whatever connections it comes by. Its streams can be resumed.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  type JSONRPCMessage,
  type RequestId,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { BashServer } from '../server.js'
import type { Conversations } from './conversations.js'
import { type Events, SessionEvents } from './events.js'
import type { Exchange } from './exchange.js'
import type { HttpLimits } from './limits.js'
import { isRepeatable, isRequest, isResponse, messagesOf } from './messages.js'

/** From this version on a stream begins with an event id: its client can come back for it. */
const resumable = '2025-11-25'
const cutMessage = 'cancelled: its connection was cut'

/** What was asked for on one stream. */
interface Stream {
  /** Requests without an answer. */
  open: Set<RequestId>
  /** Of those: calls that go on without it. */
  detached: Set<RequestId>
  isResumable: boolean
  /** Given by the transport. */
  name?: string
  /** Whose response it is sent in: the last who came for it. */
  sentIn: Exchange
  /** Until its client has come back. */
  timer?: NodeJS.Timeout
}

/** Tells of answers, which the transport sends by itself. */
class Transport extends WebStandardStreamableHTTPServerTransport {
  onanswer?: (id: RequestId) => void

  override async send(
    message: JSONRPCMessage,
    options?: Parameters<WebStandardStreamableHTTPServerTransport['send']>[1],
  ): Promise<void> {
    await super.send(message, options)
    if (isResponse(message)) this.onanswer?.(message.id as RequestId)
  }
}

export class Session {
  readonly id = randomBytes(24).toString('base64url')
  lastUsedAt = performance.now()
  readonly #limits: HttpLimits
  readonly #events: SessionEvents
  readonly #transport: Transport
  readonly #server: Server
  readonly #endConversation: () => void
  readonly #onClose: () => void
  /** The stream of what is being handed to the transport. */
  readonly #handing = new AsyncLocalStorage<Stream>()
  /** By the ids that the transport gives them. */
  readonly #byName = new Map<string, Stream>()
  readonly #byRequest = new Map<RequestId, Stream>()
  #responses = 0
  #isOpen = false
  #isClosed = false

  constructor(
    server: BashServer,
    conversations: Conversations,
    limits: HttpLimits,
    { events, onOpen, onClose }: { events: Events; onOpen: () => void; onClose: () => void },
  ) {
    const shared = conversations.ofSession()
    this.#limits = limits
    this.#endConversation = shared.end
    this.#onClose = onClose
    this.#events = new SessionEvents(events, (name) => {
      const stream = this.#handing.getStore()
      // The first event of a stream that can be resumed comes before all else that happens for it.
      if (stream?.isResumable !== true || stream.name !== undefined) return
      stream.name = name
      this.#byName.set(name, stream)
    })
    this.#transport = new Transport({
      sessionIdGenerator: () => this.id,
      eventStore: this.#events,
      maxRequestBodySize: limits.bodyBytes,
      onsessioninitialized: () => {
        this.#isOpen = true
        onOpen()
      },
    })
    this.#transport.onanswer = (id) => this.#answered(id)
    this.#server = server.connect(shared)
  }

  /** Before it is used. */
  async connect(): Promise<void> {
    await this.#server.connect(this.#transport)
    const { onclose } = this.#transport
    // DELETE ends it.
    this.#transport.onclose = () => {
      onclose?.()
      void this.close()
    }
  }

  /** Whether anything goes on in it. */
  get isBusy(): boolean {
    return this.#byRequest.size > 0 || this.#responses > 0
  }

  /** A response of it is being sent. @returns a function that ends this */
  use(): () => void {
    this.#responses += 1
    return () => {
      this.#responses -= 1
      this.lastUsedAt = performance.now()
    }
  }

  /** @param body of a POST */
  async serve(exchange: Exchange, body: unknown): Promise<void> {
    switch (exchange.request.method) {
      case 'POST':
        return await this.#post(exchange, body)
      case 'GET':
        return await this.#get(exchange)
      default:
        return await exchange.respond(await this.#transport.handleRequest(exchange.request), false)
    }
  }

  async #post(exchange: Exchange, body: unknown): Promise<void> {
    const { request } = exchange
    const messages = messagesOf(body)
    const requests = messages.filter(isRequest)
    const ids = requests.map(({ id }) => id)
    if (new Set(ids).size < ids.length || ids.some((id) => this.#byRequest.has(id))) {
      return exchange.decline(400, 'a request with this id is in progress')
    }
    const version = request.headers.get('mcp-protocol-version') ?? ''
    const stream: Stream = {
      open: new Set(ids),
      detached: new Set(requests.filter(isRepeatable).map(({ id }) => id)),
      isResumable: version >= resumable,
      sentIn: exchange,
    }
    for (const id of ids) this.#byRequest.set(id, stream)
    exchange.whenCut(() => this.#cut(stream, exchange))
    const response = await this.#handing.run(stream, () =>
      this.#transport.handleRequest(request, { parsedBody: body }),
    )
    if (response.status !== 200) for (const id of ids) this.#answered(id)
    for (const { method, params } of messages) {
      // Its client waits for no answer, but its stream and what is kept of it would stay.
      if (method === 'notifications/cancelled')
        this.#settle(((params ?? {}) as { requestId?: unknown }).requestId)
    }
    await exchange.respond(response, false)
    if (!this.#isOpen) await this.close()
  }

  /** A stream of notifications, or the rest of one that was cut. */
  async #get(exchange: Exchange): Promise<void> {
    const { request } = exchange
    const last = request.headers.get('last-event-id')
    const name = last === null ? undefined : this.#events.streamOf(last)
    if (last !== null && name === undefined) {
      return exchange.decline(400, 'this event is not known in this session, or not any more')
    }
    const stream = name === undefined ? undefined : this.#byName.get(name)
    if (stream !== undefined) this.#moveTo(exchange, stream)
    const response = await this.#transport.handleRequest(request)
    if (stream !== undefined && response.status !== 200) this.#cut(stream, exchange)
    await exchange.respond(response, false)
  }

  /** The client knows better than this end that its old connection is gone. */
  #moveTo(exchange: Exchange, stream: Stream): void {
    stream.sentIn = exchange
    clearTimeout(stream.timer)
    const [id] = stream.open
    if (id !== undefined) this.#transport.closeSSEStream(id)
    exchange.whenCut(() => this.#cut(stream, exchange))
  }

  /** Whoever cannot come back has given up, and who can is waited for. With a call id it goes on in any case. */
  #cut(stream: Stream, exchange: Exchange): void {
    if (stream.sentIn !== exchange) return
    const cancel = () => {
      for (const id of stream.open) if (!stream.detached.has(id)) this.#cancel(id)
    }
    clearTimeout(stream.timer)
    if (!stream.isResumable) cancel()
    else if (stream.open.size > 0 && !this.#isClosed) stream.timer = setTimeout(cancel, this.#limits.resumeMs)
  }

  #cancel(id: RequestId): void {
    const params = { requestId: id, reason: cutMessage }
    this.#transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    this.#settle(id)
  }

  /** Answers what was cancelled. */
  #settle(id: unknown): void {
    if (!this.#byRequest.has(id as RequestId)) return
    const error = { code: -32_000, message: 'cancelled' }
    this.#transport.send({ jsonrpc: '2.0', id: id as RequestId, error }).catch(() => {})
  }

  #answered(id: RequestId): void {
    const stream = this.#byRequest.get(id)
    if (stream === undefined) return
    this.#byRequest.delete(id)
    stream.open.delete(id)
    this.lastUsedAt = performance.now()
    if (stream.open.size > 0) return
    clearTimeout(stream.timer)
    if (stream.name !== undefined) this.#byName.delete(stream.name)
  }

  /** Its calls are cancelled. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const { timer } of this.#byRequest.values()) clearTimeout(timer)
    this.#byRequest.clear()
    this.#byName.clear()
    this.#events.close()
    this.#onClose()
    await this.#server.close()
    this.#endConversation()
  }
}
