// How much of each terminal's output the model has been given: the next call goes on there.

/** Jobs that are remembered. */
const maxJobs = 1_000

export class SeenOutput {
  readonly #offsets = new Map<string, number>()

  get(id: string): number | undefined {
    return this.#offsets.get(id)
  }

  set(id: string, offset: number): void {
    this.#offsets.delete(id)
    this.#offsets.set(id, offset)
    const [oldest = id] = this.#offsets.keys()
    if (this.#offsets.size > maxJobs) this.#offsets.delete(oldest)
  }
}
