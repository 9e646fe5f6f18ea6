// Turns, one at a time, in the order of asking.

import { onAbort } from '../util/listeners.js'

export class TurnQueue {
  #busy = false
  readonly #waiting = new Set<() => void>()

  /**
   * Waits for a turn.
   *
   * @returns a function that ends the turn; undefined when `signal` was aborted before it came
   */
  async enter(signal: AbortSignal | undefined): Promise<(() => void) | undefined> {
    if (signal?.aborted === true) return undefined
    if (!this.#busy) {
      this.#busy = true
      return this.#leave
    }
    return await new Promise((resolve) => {
      const start = () => {
        release()
        resolve(this.#leave)
      }
      this.#waiting.add(start)
      const release = onAbort(signal, () => {
        this.#waiting.delete(start)
        resolve(undefined)
      })
    })
  }

  readonly #leave = (): void => {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#busy = false
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
