// The control requests that this process has taken. They are for it alone, so its memory is enough. One that comes once more
// (from a Redis that went back in time, or somebody who plays it back) is not taken again, nor is it answered: the client of the
// first has its answer, or is about to get it.

import type { FleetRequest } from '../request.js'

/** No client waits for longer, nor are there ever so many in that time. */
const keptMs = 3_600_000
const most = 100_000

export class TakenRequests {
  /** When they came, by their sendings, the oldest first. */
  readonly #at = new Map<string, number>()

  /** @returns whether it is the first of its sending */
  add({ sending }: Pick<FleetRequest, 'sending'>, now = performance.now()): boolean {
    if (this.#at.has(sending)) return false
    this.#at.set(sending, now)
    for (const [oldest, at] of this.#at) {
      if (this.#at.size <= most && now - at < keptMs) break
      this.#at.delete(oldest)
    }
    return true
  }
}
