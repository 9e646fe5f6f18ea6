// What is told of requests that were refused: anybody can make any number of them, so each reason only now and then.

/** Between two lines about the same. */
const pauseMs = 10_000
/** Reasons at a time; others are counted together. */
const maxReasons = 16
/** Of a reason, in characters: a client's own text may be in it. */
const maxLength = 300

export class RefusalLog {
  readonly #write: (message: string) => void
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(write: (message: string) => void) {
    this.#write = write
  }

  /** @param token its name; the token itself is told nobody */
  add(reason: string, token?: string): void {
    const cut = reason.slice(0, maxLength)
    const given = token === undefined ? cut : `${cut} (sha256 ${token}…)`
    const known = this.#counts.size < maxReasons || this.#counts.has(given) ? given : 'other reasons'
    const count = this.#counts.get(known)
    this.#counts.set(known, (count ?? 0) + 1)
    if (count === undefined) this.#write(`refused a request: ${known}`)
    this.#timer ??= setTimeout(() => this.#tell(), pauseMs).unref()
  }

  #tell(): void {
    this.#timer = undefined
    for (const [reason, count] of this.#counts) {
      if (count > 1) this.#write(`refused ${count - 1} more: ${reason}`)
    }
    this.#counts.clear()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#tell()
  }
}
