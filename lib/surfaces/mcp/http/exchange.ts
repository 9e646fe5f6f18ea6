// One request and its response: between node:http and the web's Request and Response, which the protocol's library speaks.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { endpoint } from './gate.js'
import type { HttpLimits } from './limits.js'

/** Those of a request that the library sees; the token is not among them. */
const passedIn = /^(?:accept|content-type|last-event-id|mcp-[a-z0-9-]+)$/
const passedOut = /^(?:allow|content-type|mcp-session-id|x-accel-buffering)$/
/** Below this, others are not looked at. */
const littleBytes = 64 * 1024
/** Between two looks at whether a client reads. */
const pauseMs = 5

export class Exchange {
  /** Without a body. */
  readonly request: Request
  readonly #response: ServerResponse
  readonly #limits: HttpLimits
  readonly #others: Set<Exchange>
  readonly #onCut: (() => void)[] = []
  readonly #onEnd: (() => void)[] = []
  #isOver = false
  #isCut = false

  /** @param others the responses of the same token that are being sent; this one is added */
  constructor(
    { method = '', headers }: IncomingMessage,
    response: ServerResponse,
    limits: HttpLimits,
    others: Set<Exchange>,
  ) {
    const passed = Object.entries(headers).filter(([name]) => passedIn.test(name))
    // Nothing is done with its host.
    const url = `http://localhost${endpoint}`
    this.request = new Request(url, { method, headers: passed as [string, string][] })
    this.#response = response
    this.#limits = limits
    this.#others = others
    others.add(this)
    response.on('close', () => this.#closed())
    // Of a client that is gone: its end is told by 'close'.
    response.on('error', () => {})
  }

  /** Bytes that the client has not taken. */
  get unsent(): number {
    return this.#response.writableLength
  }

  /** @param listener called when the client is gone before the end of its response: at once, if it is already */
  whenCut(listener: () => void): void {
    if (this.#isCut) listener()
    else this.#onCut.push(listener)
  }

  /** @param listener called when the response is over, however it ended */
  whenOver(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#onEnd.push(listener)
  }

  #closed(): void {
    this.#others.delete(this)
    this.#isOver = true
    this.#isCut = !this.#response.writableFinished
    if (this.#isCut) for (const listener of this.#onCut.splice(0)) listener()
    for (const listener of this.#onEnd.splice(0)) listener()
  }

  /** Says why a request is not served. The connection stays. */
  decline(status: number, message: string, headers: Record<string, string> = {}): void {
    const text = errorText(message)
    this.#writeHead(status, { 'content-type': 'application/json', ...headers })
    this.#response.end(text)
  }

  /**
   * @param isDetached whether what makes the response goes on when its client is gone
   */
  async respond({ status, headers, body }: Response, isDetached: boolean): Promise<void> {
    // The library's answer to a client that has gone: there is nobody to read it.
    if (status === 499) return void this.#response.destroy()
    this.#writeHead(status, Object.fromEntries([...headers].filter(([name]) => passedOut.test(name))))
    if (body === null) return void this.#response.end()
    this.#response.flushHeaders()
    const reader = body.getReader()
    if (!isDetached) this.whenCut(() => void reader.cancel().catch(() => {}))
    // It is read as it comes, whether the client reads or not: else what piles up would be out of sight.
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (this.#response.destroyed) continue
      this.#response.write(value)
      if (this.#isTooMuch() && !(await this.#isRead())) this.#response.destroy()
    }
    if (!this.#response.destroyed) this.#response.end()
  }

  #isTooMuch(): boolean {
    const { unsentBytes, unsentBytesInAll } = this.#limits
    if (this.unsent <= littleBytes) return false
    if (this.unsent > unsentBytes) return true
    let all = 0
    for (const { unsent } of this.#others) all += unsent
    return all > unsentBytesInAll
  }

  /** What is written at once piles up before the system has been given any of it: a client that reads has taken it soon. */
  async #isRead(): Promise<boolean> {
    const deadline = performance.now() + this.#limits.unsentMs
    while (this.#isTooMuch()) {
      if (this.#response.destroyed || performance.now() > deadline) return false
      await setTimeout(pauseMs)
    }
    return true
  }

  #writeHead(status: number, headers: Record<string, string>): void {
    if (this.#response.destroyed) return
    this.#response.writeHead(status, { ...commonHeaders, ...headers })
  }
}

/** Nothing of it is for a browser. */
export const commonHeaders = {
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
} as const

/** As the library says what is wrong with a request. */
export function errorText(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
}
