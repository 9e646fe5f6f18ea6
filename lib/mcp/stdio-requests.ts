// What comes over stdin, line by line, before the library sees it. The library drops a line that is no message, and its caller
// would wait for ever; and of two calls with one id it could cancel only the second, also at the end of stdin.

import { Transform, type TransformCallback } from 'node:stream'

interface Message {
  id?: unknown
  method?: unknown
  params?: { requestId?: unknown }
}

const newline = 0x0a
/** Of a longer line the library says so. */
const mostBytes = 16 * 1024 * 1024
const invalidRequest = -32600

export class StdioRequests extends Transform {
  /** Ids of requests that have no answer yet. */
  readonly #open = new Set<unknown>()
  readonly #refuse: (answer: object) => void
  #parts: Buffer[] = []
  #bytes = 0

  /** @param refuse sends an answer */
  constructor(refuse: (answer: object) => void) {
    super()
    this.#refuse = refuse
  }

  /** To be called with each answer that is sent. */
  answered(id: unknown): void {
    this.#open.delete(id)
  }

  override _transform(chunk: Buffer, _: string, done: TransformCallback): void {
    let at = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      this.#parts.push(chunk.subarray(at, end + 1))
      at = end + 1
      this.#takeLine()
    }
    const rest = chunk.subarray(at)
    this.#parts.push(rest)
    this.#bytes += rest.length
    if (this.#bytes > mostBytes) this.#pass()
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#pass()
    done()
  }

  #takeLine(): void {
    const [only] = this.#parts
    const line = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts)
    this.#parts = [line]
    if (this.#isTaken(line)) this.#pass()
    this.#parts = []
    this.#bytes = 0
  }

  #pass(): void {
    for (const part of this.#parts) this.push(part)
    this.#parts = []
    this.#bytes = 0
  }

  #isTaken(line: Buffer): boolean {
    let message: Message
    try {
      message = JSON.parse(line.toString())
    } catch {
      return true
    }
    const { id, method, params } = message ?? {}
    if (method === 'notifications/cancelled') this.answered(params?.requestId)
    if (!isId(id)) return true
    const problem = problemOf(message)
    if (problem !== undefined) return this.#decline(id, problem)
    if (method === undefined) return true
    // An answer with the id would be taken for that of the first.
    if (this.#open.has(id)) {
      return this.#decline(
        null,
        `a request with the id ${JSON.stringify(id)} is in progress: this one was not taken`,
      )
    }
    this.#open.add(id)
    return true
  }

  #decline(id: unknown, message: string): false {
    this.#refuse({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } })
    return false
  }
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isInteger(id)

function problemOf(message: Message): string | undefined {
  const { jsonrpc, method, params, result, error } = message as Record<string, unknown>
  if (jsonrpc !== '2.0') return `jsonrpc: must be "2.0" (got ${JSON.stringify(jsonrpc)?.slice(0, 100)})`
  if (method === undefined && (result !== undefined || error !== undefined)) return undefined
  if (typeof method !== 'string') return 'method: must be a string'
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params)
  return params === undefined || isObject ? undefined : 'params: must be an object'
}
