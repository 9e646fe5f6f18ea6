// From an expression for whole texts, one for their beginnings at the end of what is there: JavaScript has no partial matches.

/**
 * Matches where a text that `source` matches begins, and the input ends before it is whole. What a look ahead asks for is not
 * asked: it may still come.
 *
 * @param source of the parts that rules for secrets are written in: characters, classes, groups, looks around, quantifiers
 * @throws {SyntaxError} for any other
 */
export function beginningOf(source: string): RegExp {
  const parser = new Parser(source)
  const begun = parser.alternatives()
  if (!parser.isAtEnd) throw new SyntaxError(`unexpected ${source.slice(parser.at)}`)
  return new RegExp(begun.beginning)
}

/** Two expressions: for all of it, and for the beginnings of it that the input ends with. */
interface Part {
  whole: string
  /** Undefined: it has no length. */
  beginning: string | undefined
}

const never = '(?!)'

class Parser {
  readonly #source: string
  at = 0

  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.at === this.#source.length
  }

  alternatives(): { whole: string; beginning: string } {
    const all = [this.#sequence()]
    while (this.#take(/\|/y) !== undefined) all.push(this.#sequence())
    const joined = (name: 'whole' | 'beginning') => `(?:${all.map((each) => each[name]).join('|')})`
    return { whole: joined('whole'), beginning: joined('beginning') }
  }

  #sequence(): { whole: string; beginning: string } {
    const parts: Part[] = []
    while (!this.isAtEnd && !/[|)]/y.test(this.#source.slice(this.at, this.at + 1))) parts.push(this.#part())
    const whole = parts.map((part) => part.whole).join('')
    // All of the parts before, and then a beginning.
    const beginning = parts.reduceRight((rest, part) => {
      if (part.beginning === undefined) return part.whole + rest
      return rest === never ? part.beginning : `(?:${part.beginning}|${part.whole}${rest})`
    }, never)
    return { whole, beginning }
  }

  #part(): Part {
    const around = this.#take(/\(\?<?[=!]/y)
    if (around !== undefined) {
      const { whole } = this.alternatives()
      this.#close()
      return { whole: around === '(?=' ? '' : `${around}${whole})`, beginning: undefined }
    }
    const anchor = this.#take(/\^|\\b/y)
    if (anchor !== undefined) return { whole: anchor, beginning: undefined }
    const group = this.#take(/\(\?:/y)
    const each = group === undefined ? this.#character() : this.alternatives()
    if (group !== undefined) this.#close()
    const quantifier = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)
    if (quantifier === undefined) return each
    const whole = `(?:${each.whole})${quantifier}`
    if (group !== undefined)
      return { whole, beginning: `(?:${each.whole})${atMost(quantifier)}${each.beginning}` }
    // With more of them it is whole. To look on from each place to the end would take long.
    return { whole, beginning: `${each.whole}{0,${Math.max(leastOf(quantifier) - 1, 0)}}$` }
  }

  #character(): { whole: string; beginning: string } {
    const character = this.#take(/\[(?:\\.|[^\]\\])+\]|\\[^b]|[^\\()[\]|*+?{}^$]/y)
    if (character === undefined) throw new SyntaxError(`unexpected ${this.#source.slice(this.at)}`)
    return { whole: character, beginning: '$' }
  }

  #close(): void {
    if (this.#take(/\)/y) === undefined) throw new SyntaxError('a group has no end')
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.#source) ?? []
    if (found !== undefined) this.at += found.length
    return found
  }
}

const leastOf = (quantifier: string): number =>
  quantifier.startsWith('+') ? 1 : Number(/\d+/.exec(quantifier)?.[0] ?? 0)

/** As often as the quantifier has it, or less. */
const atMost = (quantifier: string): string => {
  const [, least, isRange, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? []
  if (least === undefined) return quantifier.startsWith('?') ? '?' : '*'
  const times = isRange === '' ? least : most
  return times === '' ? '*' : `{0,${times}}`
}
