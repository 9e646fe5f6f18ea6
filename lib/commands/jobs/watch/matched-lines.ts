// The lines that a search has found, however many: the first and the last of them, and how many there were between.

const mostLines = 20
const mostChars = 10_000

export class MatchedLines {
  readonly #first: string[] = []
  #last: string[] = []
  #firstChars = 0
  #lastChars = 0
  #left = 0
  /** The beginning of a line whose end has not come. */
  #open = ''

  /** @param text lines, of which the last one may have no end yet */
  add(text: string): void {
    const lines = `${this.#open}${text}`.split('\n')
    this.#open = lines.pop() ?? ''
    for (const line of lines) this.#addLine(line)
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#open !== '') this.#addLine(this.#open)
    this.#open = ''
  }

  lines(): string[] {
    if (this.#left === 0) return [...this.#first, ...this.#last]
    return [...this.#first, `[${this.#left} more lines]`, ...this.#last]
  }

  #addLine(line: string): void {
    const isFirst = this.#last.length === 0 && this.#left === 0
    if (isFirst && this.#first.length < mostLines / 2 && this.#firstChars + line.length <= mostChars / 2) {
      this.#first.push(line)
      this.#firstChars += line.length
      return
    }
    this.#last.push(line)
    this.#lastChars += line.length
    while (this.#last.length > 1 && (this.#last.length > mostLines / 2 || this.#lastChars > mostChars / 2)) {
      this.#lastChars -= this.#last.shift()?.length ?? 0
      this.#left += 1
    }
  }
}
