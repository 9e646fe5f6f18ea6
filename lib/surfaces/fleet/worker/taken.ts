// The requests that this process must not take once more: those for control, and commands that were refused. They are for it
// alone, so its memory is enough. One that comes again (from a Redis that went back in time, or somebody who plays it back) is not
// answered either: the client of the first has its answer, or is about to get it.

import type { FleetRequest } from '../request.js'

/** No client waits for longer, nor are there ever so many in that time. */
const keptMs = 3_600_000
const most = 100_000

export class TakenRequests {
  /** When they came, by their sendings, the oldest first. */
  readonly #at = new Map<string, number>()

  has({ sending }: Pick<FleetRequest, 'sending'>): boolean {
    return this.#at.has(sending)
  }

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
