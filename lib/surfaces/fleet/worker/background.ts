// What a worker does besides its calls, now and then or by the way. Nobody waits for it, so what fails is told: each time on the
// fleet's channel, and as a line when it is something new, or a minute has passed.

import { messageOf } from '../../../base/errors.js'
import { publishFleet } from '../events.js'

const quietMs = 60_000

/** Different lines that are remembered: more than can come in turns. */
const most = 100

interface Told {
  at: number
  /** Since then. */
  times: number
}

export class Background {
  readonly #worker: string
  readonly #warn: (line: string) => void
  /** By the line. */
  readonly #told = new Map<string, Told>()
  readonly #timers: NodeJS.Timeout[] = []
  #isOver = false

  constructor(worker: string, warn: (line: string) => void) {
    this.#worker = worker
    this.#warn = warn
  }

  every(step: string, milliseconds: number, act: () => Promise<unknown>): void {
    this.#timers.push(setInterval(() => this.run(step, act), milliseconds))
  }

  run(step: string, act: () => Promise<unknown>): void {
    act().catch((error: unknown) => this.failed(step, error))
  }

  /** For `catch()`. */
  failedIn =
    (step: string) =>
    (error: unknown): void =>
      this.failed(step, error)

  failed(step: string, error: unknown, now = performance.now()): void {
    // Connections are closed at the end.
    if (this.#isOver) return
    // That of several attempts to connect has no text of its own.
    const text = messageOf(error) || String((error as { code?: unknown }).code)
    const message = text.replaceAll(/\s+/g, ' ')
    publishFleet({ type: 'trouble', worker: this.#worker, step, message })
    const line = `${step} failed: ${message}`
    const told = this.#told.get(line)
    if (told !== undefined && now - told.at < quietMs) {
      told.times += 1
      return
    }
    const times = told?.times ?? 0
    this.#warn(times === 0 ? line : `${line} (${times} times more since the last line)`)
    if (this.#told.size >= most) this.#told.clear()
    this.#told.set(line, { at: now, times: 0 })
  }

  stop(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearInterval(timer)
  }
}
