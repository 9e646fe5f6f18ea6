// A self-hosted environment as a worker of the Anthropic SDK sees it: a queue with one work item, and its session.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const leaseMs = 4_000

interface SessionEvent {
  id?: string
  type: string
  [field: string]: unknown
}

export interface ToolResult extends SessionEvent {
  tool_use_id: string
  is_error: boolean
  content: { text: string }[]
}

export class ScriptedEnvironment {
  readonly #events: SessionEvent[] = []
  readonly #streams = new Set<ServerResponse>()
  #state = 'queued'
  #lastHeartbeat: string | null = null
  #heldUntil = 0
  /** How often the work item has been handed out. */
  claims = 0
  /** Whether it fails to take results. */
  isDeaf = false
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response)
  })

  /** @returns its address */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** The model calls the tool. */
  callBash(id: string, input: object): void {
    this.#add({ id, type: 'agent.tool_use', name: 'bash', input, evaluated_permission: 'allow' })
  }

  get results(): ToolResult[] {
    return this.#events.filter(({ type }) => type === 'user.tool_result') as ToolResult[]
  }

  /** Tells the worker to stop, with its next heartbeat. */
  stop(): void {
    this.#state = 'stopping'
  }

  #add(event: SessionEvent): void {
    this.#events.push(event)
    for (const stream of this.#streams)
      stream.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [, , kind, , part, id] = pathname.split('/')
    const action = kind === 'environments' && part === 'work' ? pathname.split('/').at(-1) : part
    const give = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (action === 'poll') return give(this.#claim())
    if (action === 'ack') return give(this.#work)
    if (action === 'stop') {
      this.#state = 'stopped'
      return give(this.#work)
    }
    if (action === 'heartbeat') return this.#beat(searchParams.get('expected_last_heartbeat'), give)
    if (action === undefined)
      return give({ id: 'session_1', status: 'running', resources: [], agent: { skills: [] } })
    if (id === 'stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      this.#streams.add(response)
      response.on('close', () => this.#streams.delete(response))
      return
    }
    if (request.method === 'GET') return give({ data: this.#events, next_page: null })
    if (this.isDeaf) return give({ type: 'error', error: { type: 'overloaded_error', message: 'deaf' } }, 529)
    const { events } = JSON.parse(body) as { events: SessionEvent[] }
    for (const event of events) this.#add(event)
    give({ data: events })
  }

  get #work() {
    return {
      id: 'work_1',
      environment_id: 'env_1',
      secret: null,
      state: this.#state,
      data: { type: 'session', id: 'session_1' },
    }
  }

  /** Whoever does not tell in time that it lives has lost its work to the next. */
  #claim(): unknown {
    if (Date.now() < this.#heldUntil || this.#state === 'stopped') return null
    this.claims += 1
    this.#lastHeartbeat = null
    this.#heldUntil = Date.now() + leaseMs
    return this.#work
  }

  #beat(expected: string | null, give: (value: unknown, status?: number) => void): void {
    if (expected !== (this.#lastHeartbeat ?? 'NO_HEARTBEAT')) {
      const error = { type: 'invalid_request_error', message: 'another worker holds the lease' }
      give({ type: 'error', error }, 412)
      return
    }
    this.#lastHeartbeat = new Date().toISOString()
    this.#heldUntil = Date.now() + leaseMs
    const state = this.#state === 'queued' ? 'active' : this.#state
    give({ last_heartbeat: this.#lastHeartbeat, lease_extended: true, state, ttl_seconds: leaseMs / 1000 })
  }
}
