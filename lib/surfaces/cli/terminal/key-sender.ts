// What is typed goes to a job in its order, one piece after the other, and without end only as far as there is room for it.

import { messageOf } from '../../../base/errors.js'
import { maxInputBytes } from '../../../terminals/terminal/frames.js'
import type { JobTerminal } from '../../../terminals/terminal/job-terminal.js'

/** As much as the supervisor of a job keeps of what its program does not read. */
const maxWaiting = 1024 * 1024

export interface KeySenderEvents {
  /** @param dropped bytes that were typed before, and dropped */
  onTyped(dropped: number): void
  /** @param problem why something was not typed */
  onRefused(problem: string): void
}

export class KeySender {
  readonly #terminal: Pick<JobTerminal, 'send'>
  readonly #events: KeySenderEvents
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** Undefined: nothing is on its way. */
  #sending: Promise<void> | undefined

  constructor(terminal: Pick<JobTerminal, 'send'>, events: KeySenderEvents) {
    this.#terminal = terminal
    this.#events = events
  }

  send(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#waitingBytes + bytes.length > maxWaiting) {
      this.#events.onRefused('not typed: too much waits already')
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#sending ??= this.#sendAll()
  }

  /** Resolves when all of it is there, or was refused. */
  async sent(): Promise<void> {
    await this.#sending
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    while (this.#waitingBytes > 0) {
      const all = Buffer.concat(this.#waiting)
      const rest = all.subarray(maxInputBytes)
      this.#waiting = rest.length > 0 ? [rest] : []
      this.#waitingBytes = rest.length
      try {
        const { droppedBytes } = await this.#terminal.send(all.subarray(0, maxInputBytes))
        this.#events.onTyped(droppedBytes)
      } catch (error) {
        this.#events.onRefused(messageOf(error))
      }
    }
    this.#sending = undefined
  }
}
