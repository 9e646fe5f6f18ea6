// Turns, one at a time, in the order of asking.

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
        signal?.removeEventListener('abort', giveUp)
        resolve(this.#leave)
      }
      const giveUp = () => {
        this.#waiting.delete(start)
        resolve(undefined)
      }
      this.#waiting.add(start)
      signal?.addEventListener('abort', giveUp, { once: true })
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
