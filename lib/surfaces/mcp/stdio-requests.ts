// What comes over stdin, line by line, before the library sees it. The library drops a line that is no message, and its caller
// would wait for ever; and of two calls with one id it could cancel only the second, also at the end of stdin.

import { Transform, type TransformCallback } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'

interface Message {
  id?: unknown
  method?: unknown
}

const newline = 0x0a
/** At 10 MiB the library ends the connection, and all calls with it. */
const mostBytes = 8 * 1024 * 1024
const invalidRequest = -32600
const parseError = -32700

export class StdioRequests extends Transform {
  /** Ids of requests that have no answer yet. */
  readonly #open = new Set<unknown>()
  readonly #refuse: (answer: object) => void
  #parts: Buffer[] = []
  #bytes = 0
  /** Whether the line has been refused before its end. */
  #isRefused = false

  /** @param refuse sends an answer */
  constructor(refuse: (answer: object) => void) {
    super()
    this.#refuse = refuse
  }

  /** To be called with each answer that is sent, and when a call has ended that gets none, as it was cancelled. */
  answered(id: unknown): void {
    this.#open.delete(id)
  }

  override _transform(chunk: Buffer, _: string, done: TransformCallback): void {
    let at = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      this.#add(chunk.subarray(at, end + 1))
      at = end + 1
      this.#takeLine()
    }
    this.#add(chunk.subarray(at))
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#pass()
    done()
  }

  #add(part: Buffer): void {
    if (this.#isRefused) return
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes <= mostBytes) return
    this.#parts = []
    this.#isRefused = true
    this.#decline(null, `a line has more than ${mostBytes} bytes`)
  }

  #takeLine(): void {
    const [only] = this.#parts
    const line = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts)
    this.#parts = [line]
    if (!this.#isRefused && this.#isTaken(line)) this.#pass()
    this.#isRefused = false
    this.#parts = []
    this.#bytes = 0
  }

  #pass(): void {
    for (const part of this.#parts) this.push(part)
    this.#parts = []
    this.#bytes = 0
  }

  #isTaken(line: Buffer): boolean {
    const text = line.toString()
    if (text.trim() === '') return false
    let message: Message
    try {
      message = JSON.parse(text)
    } catch {
      return this.#decline(null, 'the line is not JSON', parseError)
    }
    const { id, method } = message ?? {}
    const problem = problemOf(message)
    // What has no id is a notification, which nobody may answer: the library says so on stderr.
    if (problem !== undefined)
      return isObject(message) && !('id' in message) ? true : this.#decline(id, problem)
    if (id === undefined || method === undefined) return true
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

  /** With the id, where it can be one. */
  #decline(id: unknown, message: string, code = invalidRequest): false {
    this.#refuse({ jsonrpc: '2.0', id: isId(id) ? id : null, error: { code, message } })
    return false
  }
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** By the library's own schema: what does not fit that it drops. */
function problemOf(message: unknown): string | undefined {
  try {
    parseJSONRPCMessage(message)
    return undefined
  } catch (error) {
    const [issue] = (error as { issues?: Issue[] }).issues ?? []
    // The first of the kinds of messages is a request.
    const { path = [], message: text = 'it is no message' } = issue?.errors?.[0]?.[0] ?? issue ?? {}
    return path.length === 0 ? text : `${path.join('.')}: ${text}`
  }
}

/** Of zod. */
interface Issue {
  path?: (string | number)[]
  message?: string
  errors?: Issue[][]
}
