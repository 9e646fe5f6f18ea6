// Lines that tell of an error, from the middle of an output that was cut: a build goes on for thousands of lines after the
// one that matters. Keeps a few lines of any output, however long it is.

/** A line that was found, counted from 1. */
export interface FoundLine {
  number: number
  text: string
}

/** Whether a line tells of an error, and how surely. */
export type LineJudge = (line: string) => 'surely' | 'perhaps' | undefined

const maxLineChars = 200
/** Kept from the beginning, and as many from the end: what breaks first, and what is said last. */
const keptLines = 8

/** What compilers, test runners and interpreters say of an error itself. Bounded everywhere: any line takes linear time. */
const sure = new RegExp(
  [
    '^(?:error|fatal|panic|Error|FAIL|FAILED|ERROR|FATAL|Traceback|npm error|not ok|Caused by|--- FAIL)\\b',
    "^(?:npm ERR!|E {3}|thread '[^']{0,200}' panicked|make[^:]{0,20}: \\*\\*\\*|\\s{0,8}(?:✗|✕|✖|×|●) )",
    ': (?:fatal )?error:|[:-] error TS\\d|\\berror\\[E\\d|\\bpanicked at\\b',
    '\\b[A-Z]\\w{0,80}(?:Error|Exception)\\b(?::| \\[)',
    '\\b(?:Segmentation fault|core dumped|undefined reference to|Cannot find module|command not found|FAILED|out of memory)\\b',
  ].join('|'),
)
const possible = /error|fail|fatal|panic|exception|traceback|abort|cannot|not found/i
/** What only counts errors, or names a file or an option. */
const innocent =
  /\b(?:0|no|without) (?:errors?|failures?|failed)\b|-W(?:no-)?error|\berrors?[./_-]\w|\w[/_-]errors?\b|\bok$|\bPASSED\b/i
/** Whatever one of them may match. */
const any =
  /error|fail|fatal|panic|exception|traceback|abort|cannot|not found|not ok|ERR!|E {3}|[✗✕✖×●]|\*\*\*|Segmentation|core dumped|undefined reference|out of memory/i

export const judgeLine: LineJudge = (line) => {
  if (!any.test(line)) return undefined
  if (sure.test(line)) return innocent.test(line) ? undefined : 'surely'
  return possible.test(line) && !innocent.test(line) ? 'perhaps' : undefined
}

export class ErrorLines {
  readonly #judge: LineJudge
  readonly #found = { surely: new Ends(), perhaps: new Ends() }
  #unfinished = ''
  #number = 0

  constructor(judge: LineJudge = judgeLine) {
    this.#judge = judge
  }

  /** Lines that have ended. */
  get lineCount(): number {
    return this.#number
  }

  add(text: string): void {
    let start = 0
    // Most of a flood has none.
    if (this.#judge === judgeLine && this.#unfinished === '' && text.endsWith('\n') && !any.test(text)) {
      this.#number += lineCountOf(text)
      return
    }
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end)
      this.#look(this.#unfinished === '' ? line : this.#unfinished + line.slice(0, maxLookedAt))
      this.#unfinished = ''
      start = end + 1
    }
    if (this.#unfinished.length < maxLookedAt) this.#unfinished += text.slice(start, start + maxLookedAt)
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.#unfinished !== '') this.#look(this.#unfinished)
    this.#unfinished = ''
  }

  #look(line: string): void {
    this.#number++
    const text = line.length > maxLookedAt ? line.slice(0, maxLookedAt) : line
    const kind = this.#judge(text)
    if (kind !== undefined) this.#found[kind].add({ number: this.#number, text: shorten(text) })
  }

  /** Those that surely tell of one, or else those that perhaps do. @param isShown the reader sees it anyway */
  select(isShown: (number: number) => boolean): FoundLine[] {
    const [surely, perhaps] = [this.#found.surely, this.#found.perhaps].map((ends) =>
      ends.lines.filter(({ number }) => !isShown(number)),
    )
    return surely?.length ? surely : (perhaps ?? [])
  }
}

const maxLookedAt = 2000

const shorten = (line: string): string =>
  line.length > maxLineChars ? `${line.slice(0, maxLineChars).replace(/[\ud800-\udbff]$/, '')}…` : line

/** The first and the last of any number. */
class Ends {
  readonly #first: FoundLine[] = []
  readonly #last: FoundLine[] = []

  add(line: FoundLine): void {
    if (this.#first.length < keptLines) this.#first.push(line)
    else this.#last.push(line)
    if (this.#last.length > keptLines) this.#last.shift()
  }

  get lines(): FoundLine[] {
    return [...this.#first, ...this.#last]
  }
}

/** What is above the lines: they are no continuous part of the output. */
export const selectionNotice = '[selected from what was left out: lines that may tell of an error]'

/** What stands between the two parts of a text: as many of the lines as there is room for, the first ones and the last. */
export function selectionOf(lines: readonly FoundLine[], maxChars: number): string {
  const shown = [...lines]
  while (textOf(shown).length > maxChars) shown.splice(shown.length >>> 1, 1)
  return textOf(shown)
}

const textOf = (lines: readonly FoundLine[]): string =>
  lines.length === 0
    ? ''
    : `\n\n${selectionNotice}\n${lines.map(({ number, text }) => `${number}: ${text}`).join('\n')}`

/** Lines that a part of a text has, with one that has not ended. */
export function lineCountOf(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
