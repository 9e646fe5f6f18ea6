// The live output of one call on its way to those who follow it. One piece at a time is on its way; what comes meanwhile is
// gathered, and of too much only the size is kept. The whole is in a file of the worker.

import type { OutputEvent } from '../../../commands/run/result.js'
import { maxEntryBytes } from '../limits.js'
import type { Listener, Notices } from './notices.js'

/** Bytes of live output that all calls of a worker may send. */
export class Budget {
  readonly #perSecond: number
  #left: number
  #at = performance.now()

  constructor(bytesPerSecond: number) {
    this.#perSecond = bytesPerSecond
    this.#left = bytesPerSecond
  }

  /** @returns whether there is something left; an entry may take more than that */
  take(bytes: number): boolean {
    const now = performance.now()
    const earned = ((now - this.#at) / 1000) * this.#perSecond
    this.#left = Math.min(this.#left + earned, this.#perSecond)
    this.#at = now
    if (this.#left <= 0) return false
    this.#left -= bytes
    return true
  }
}

export class LiveOutput {
  readonly #notices: Notices
  readonly #budget: Budget
  readonly #listeners = new Map<string, Listener>()
  /** What is to be sent next, and the bytes of output before it. */
  #pending = ''
  #pendingBytes = 0
  #pendingAt = 0
  /** Bytes of all output so far, also of what is left out. */
  #end = 0
  #sending: Promise<void> | undefined

  constructor(notices: Notices, budget: Budget) {
    this.#notices = notices
    this.#budget = budget
  }

  follow(listener: Listener): void {
    this.#listeners.set(listener.sending, listener)
  }

  unfollow({ sending }: Listener): void {
    this.#listeners.delete(sending)
  }

  readonly add = ({ text, dropped }: OutputEvent): void => {
    const bytes = Buffer.byteLength(text)
    const at = this.#end + dropped
    this.#end = at + bytes
    if (this.#listeners.size === 0 || bytes === 0) return
    const pendingEnd = this.#pendingAt + this.#pendingBytes
    if (this.#pending === '') {
      this.#pending = text
      this.#pendingAt = at
      this.#pendingBytes = bytes
    } else if (pendingEnd === at && this.#pendingBytes + bytes <= maxEntryBytes) {
      this.#pending += text
      this.#pendingBytes += bytes
    }
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  /** Bytes that there were, when all that is to be sent is sent. */
  async finish(): Promise<number> {
    await this.#sending
    return this.#end
  }

  async #send(): Promise<void> {
    // What comes at the same moment goes with it.
    await Promise.resolve()
    while (this.#pending !== '') {
      const [text, at, bytes] = [this.#pending, this.#pendingAt, this.#pendingBytes]
      this.#pending = ''
      this.#pendingBytes = 0
      if (!this.#budget.take(bytes * this.#listeners.size)) continue
      const sent = [...this.#listeners.values()].map((listener) => this.#notices.printed(listener, at, text))
      await Promise.all(sent)
    }
  }
}
