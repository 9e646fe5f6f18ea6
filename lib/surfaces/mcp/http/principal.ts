// All that a token has here: its sessions, its conversations, and its share of what there is.

import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import type { BashServer } from '../server.js'
import type { Body } from './body.js'
import { Conversations } from './conversations.js'
import { Events } from './events.js'
import type { Exchange } from './exchange.js'
import type { HttpLimits } from './limits.js'
import { isListening, isRepeatable, messagesOf } from './messages.js'
import { Session } from './session.js'
import type { Token } from './tokens.js'

export class Principal {
  /** Those that are going on. */
  readonly exchanges = new Set<Exchange>()
  readonly #server: BashServer
  readonly #limits: HttpLimits
  readonly #conversations: Conversations
  readonly #events: Events
  readonly #sessions = new Map<string, Session>()
  readonly #modern: McpHttpHandler
  #streams = 0
  #bodyBytes = 0
  #isClosed = false

  constructor(token: Token, server: BashServer, limits: HttpLimits, log: (message: string) => void) {
    this.#server = server
    this.#limits = limits
    this.#conversations = new Conversations(token, limits, () => server.converse())
    this.#events = new Events(limits.eventBytes)
    this.#modern = createMcpHandler(() => server.connect(this.#conversations.ofToken()), {
      legacy: 'reject',
      maxSubscriptions: limits.streams,
      maxRequestBodySize: limits.bodyBytes,
      onerror: (error) => log(error.message),
    })
  }

  async serve(exchange: Exchange, { value: body, bytes }: Body): Promise<void> {
    // Its body may have come when all else had ended.
    if (this.#isClosed) return exchange.decline(503, 'this server is about to end')
    if (this.#bodyBytes + bytes > this.#limits.bodyBytesInAll) {
      const message = `requests of ${this.#bodyBytes} bytes of this token are not answered yet; nothing was started`
      return exchange.decline(429, message, { 'retry-after': '10' })
    }
    this.#bodyBytes += bytes
    exchange.whenOver(() => {
      this.#bodyBytes -= bytes
    })
    const { request } = exchange
    const isModern = request.method === 'POST' && !(await isLegacyRequest(request, body))
    return isModern ? await this.#serveModern(exchange, body) : await this.#serveSession(exchange, body)
  }

  /** Each request of the protocol of 2026 stands for itself. */
  async #serveModern(exchange: Exchange, body: unknown): Promise<void> {
    const messages = messagesOf(body)
    if (messages.some(isListening) && !this.#enterStream(exchange)) return
    const isDetached = messages.some(isRepeatable)
    const gone = new AbortController()
    if (!isDetached) exchange.whenCut(() => gone.abort())
    const request = new Request(exchange.request, { signal: gone.signal })
    await exchange.respond(await this.#modern.fetch(request, { parsedBody: body }), isDetached)
  }

  async #serveSession(exchange: Exchange, body: unknown): Promise<void> {
    const { method, headers } = exchange.request
    const id = headers.get('mcp-session-id')
    const isOpening = method === 'POST' && id === null && isInitializeRequest(body)
    const session = isOpening ? await this.#openSession() : this.#sessions.get(id ?? '')
    if (session === undefined) {
      if (isOpening)
        return exchange.decline(429, 'all sessions of this token are in use', { 'retry-after': '10' })
      return id === null
        ? exchange.decline(400, 'the header Mcp-Session-Id is needed: initialize gives it')
        : exchange.decline(404, 'there is no such session: initialize opens one')
    }
    if (method === 'GET' && !this.#enterStream(exchange)) return
    exchange.whenOver(session.use())
    await session.serve(exchange, body)
  }

  /** For the longest unused one, if there are too many. */
  async #openSession(): Promise<Session | undefined> {
    const { sessions: max } = this.#limits
    if (this.#sessions.size >= max) {
      const unused = [...this.#sessions.values()].filter(({ isBusy }) => !isBusy)
      const [oldest] = unused.sort((a, b) => a.lastUsedAt - b.lastUsedAt)
      if (oldest === undefined) return undefined
      await oldest.close()
    }
    const session = new Session(this.#server, this.#conversations, this.#limits, {
      events: this.#events,
      onOpen: () => this.#sessions.set(session.id, session),
      onClose: () => this.#sessions.delete(session.id),
    })
    await session.connect()
    return session
  }

  #enterStream(exchange: Exchange): boolean {
    if (this.#streams >= this.#limits.streams) {
      exchange.decline(429, `${this.#streams} streams of this token are open`, { 'retry-after': '10' })
      return false
    }
    this.#streams += 1
    exchange.whenOver(() => {
      this.#streams -= 1
    })
    return true
  }

  /** Ends what nobody has used for a long time. */
  sweep(now: number): void {
    for (const session of this.#sessions.values()) {
      if (!session.isBusy && now - session.lastUsedAt > this.#limits.sessionIdleMs) void session.close()
    }
    this.#conversations.sweep(now)
  }

  /** All calls are cancelled. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([
      this.#modern.close(),
      ...[...this.#sessions.values()].map((session) => session.close()),
    ])
    this.#conversations.close()
  }
}
