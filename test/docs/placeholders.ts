// What differs from run to run, as the pages show it:
//
//   …             any text within a line
//   bash_k3v9x2   an id of a job; the same id is the same job on the whole page
//   4711          a process id, 4700 to 4799; likewise
//   5173          a port; likewise
//   0s            an age, between the columns of a table; and columns are as wide as they have to be

/** All placeholders. */
const placeholder = /…|\bbash_[a-z0-9]{6}\b|\b(?:47\d\d|5173)\b|(?<= {2})\d+s(?= {2})| {2,}/g

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

export class Placeholders {
  readonly #values = new Map<string, string>()

  /** The text with the values that are known by now: a command of the page as it can be run. */
  fill(text: string): string {
    return text.replace(placeholder, (name) => this.#values.get(name) ?? name)
  }

  /** What was printed, with the placeholders of the page where it fits: equal to `expected` if all of it does. */
  settle(printed: string, expected: string): string {
    const lines = expected.split('\n')
    return printed
      .split('\n')
      .map((line, index) => this.#settleLine(line, lines[index] ?? ''))
      .join('\n')
  }

  #settleLine(line: string, expected: string): string {
    const names: string[] = []
    const pattern = expected
      .split(placeholder)
      .map(escaped)
      .reduce((before, after, index) => {
        const name = expected.match(placeholder)?.[index - 1] ?? ''
        return `${before}${this.#patternOf(name, names)}${after}`
      })
    const match = new RegExp(`^${pattern}$`).exec(line)
    if (match === null) return line
    for (const [index, name] of names.entries()) this.#values.set(name, match[index + 1] ?? '')
    return expected
  }

  /** @param names those that the pattern captures, in their order */
  #patternOf(name: string, names: string[]): string {
    if (name === '…') return '.*'
    if (name.startsWith(' ')) return ' {2,}'
    if (/^\d+s$/.test(name)) return '\\d+s'
    const value = this.#values.get(name)
    if (value !== undefined) return escaped(value)
    const known = names.indexOf(name)
    if (known >= 0) return `\\${known + 1}`
    names.push(name)
    return name.startsWith('bash_') ? '(bash_[a-z0-9]{6,8})' : '(\\d+)'
  }
}
