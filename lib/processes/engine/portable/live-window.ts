// What a live view is shown of a stream: a piece of bounded size now and then, and a count of what it missed.

/** Bytes between two looks, and milliseconds; as the native engine has them. */
const limit = 64 * 1024
const intervalMs = 50

export class LiveWindow {
  readonly #show: (bytes: Buffer, dropped: number) => void
  #chunks: Buffer[] = []
  #length = 0
  #droppedBefore = 0
  #droppedAfter = 0
  #timer: NodeJS.Timeout | undefined

  constructor(show: (bytes: Buffer, dropped: number) => void) {
    this.#show = show
  }

  /** Copies what still fits; the rest is dropped. */
  append(bytes: Buffer): void {
    // Once something was dropped, later bytes are dropped too until the next look: a piece is contiguous.
    const room = this.#droppedAfter === 0 ? limit - this.#length : 0
    const taken = Math.min(bytes.length, room)
    if (taken > 0) this.#chunks.push(Buffer.from(bytes.subarray(0, taken)))
    this.#length += taken
    this.#droppedAfter += bytes.length - taken
    this.#timer ??= setTimeout(() => this.#flush(), intervalMs)
  }

  /** Shows the rest. */
  end(): void {
    while (this.#length > 0 || this.#droppedBefore > 0 || this.#droppedAfter > 0) this.#flush()
    clearTimeout(this.#timer)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [bytes, dropped] = [Buffer.concat(this.#chunks), this.#droppedBefore]
    this.#chunks = []
    this.#length = 0
    this.#droppedBefore = this.#droppedAfter
    this.#droppedAfter = 0
    this.#show(bytes, dropped)
  }
}
