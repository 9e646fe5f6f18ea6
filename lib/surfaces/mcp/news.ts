// The ends of the background commands of one connection: told to its client as they happen, and to the model with the next
// result of a tool, once.

import type { JobStore } from '../../commands/jobs/store.js'
import { eventText } from '../../commands/jobs/watch/event.js'

/** How many ends a result tells of; the others are for the next one. */
const maxEnds = 20

export class JobNews {
  readonly #store: JobStore
  readonly #onEnd: (text: string) => void
  readonly #closed = new AbortController()
  /** The jobs whose ends the model has not been told of. */
  readonly #untold = new Set<string>()
  /** Those that have ended, with what is to be told. */
  readonly #ended = new Map<string, string>()

  /** @param onEnd told of each end at once, whether the model knows of it or not */
  constructor(store: JobStore, onEnd: (text: string) => void) {
    this.#store = store
    this.#onEnd = onEnd
  }

  /** Waits for the end of a job, also when it has ended already. The wait keeps the process alive until `close()`. */
  follow(id: string): void {
    if (this.#closed.signal.aborted || this.#untold.has(id)) return
    this.#untold.add(id)
    // What cannot be watched is read with bash_output all the same.
    this.#waitFor(id).catch(() => this.forget(id))
  }

  async #waitFor(id: string): Promise<void> {
    for await (const event of this.#store.watch({ jobId: id, signal: this.#closed.signal })) {
      const text = eventText(event)
      if (this.#untold.has(id)) this.#ended.set(id, text)
      this.#onEnd(text)
    }
  }

  /** The model knows of the end of a job. */
  forget(id: string): void {
    this.#untold.delete(id)
    this.#ended.delete(id)
  }

  /** What a result that is about to be sent tells of. It is not told again. */
  take(): string[] {
    const taken = [...this.#ended].slice(0, maxEnds)
    for (const [id] of taken) this.forget(id)
    return taken.map(([, text]) => text)
  }

  close(): void {
    this.#closed.abort()
    this.#untold.clear()
    this.#ended.clear()
  }
}
