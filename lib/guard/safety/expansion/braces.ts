// Brace expansion: `{a,b}` and `{1..9}`, before anything else is expanded (bash manual, "Brace Expansion").

import type { WordPart } from '../script/script.js'

/** How many words one word may become: fewer if they are long. Further ones are left out. */
const maxWords = 1000
const minWords = 4
const maxParts = 200_000

/** Braces nested deeper stay as they are. */
const maxNesting = 32

/** A character that matters to braces, or a part between them. */
type Token = WordPart | '{' | ',' | '}'

type Parts = readonly WordPart[]

/** Whether there can be anything to expand. */
export function mayHaveBraces(parts: Parts): boolean {
  return parts.some((part) => !part.quoted && part.kind === 'literal' && part.text.includes('{'))
}

/**
 * The words, as lists of parts, that a word becomes: at least one.
 *
 * @param budget about how many they may be
 */
export function expandBraces(parts: Parts, budget = maxWords): Parts[] {
  const tokens = tokenize(parts)
  const words = Math.max(minWords, Math.min(maxWords, budget, Math.floor(maxParts / tokens.length)))
  return new BraceReader(tokens, words).sequence(0, tokens.length)
}

function tokenize(parts: Parts): Token[] {
  const tokens: Token[] = []
  for (const part of parts) {
    if (part.quoted || part.kind !== 'literal') {
      tokens.push(part)
      continue
    }
    for (const text of part.text.split(/([{},])/)) {
      if (text === '{' || text === ',' || text === '}') tokens.push(text)
      else if (text !== '') tokens.push(literal(text))
    }
  }
  return tokens
}

/** For each `{` that has one the index of its `}`, found in one pass. */
function findPairs(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (token === '{') open.push(index)
    else if (token === '}' && open.length > 0) pairs.set(open.pop() as number, index)
  }
  return pairs
}

/** The beginning of a word, from its last part back: words that begin alike share it. */
interface Beginning {
  before: Beginning | undefined
  part: WordPart
}

class BraceReader {
  readonly #tokens: readonly Token[]
  readonly #pairs: ReadonlyMap<number, number>
  readonly #limit: number
  #nesting = 0

  constructor(tokens: readonly Token[], limit: number) {
    this.#tokens = tokens
    this.#pairs = findPairs(tokens)
    this.#limit = limit
  }

  /** What the tokens from `from` to before `to` become. */
  sequence(from: number, to: number): Parts[] {
    let words: (Beginning | undefined)[] = [undefined]
    for (let index = from; index < to; index++) {
      const token = this.#tokens[index] ?? ''
      const close = this.#pairs.get(index)
      const alternatives = close === undefined || close >= to ? undefined : this.#group(index + 1, close)
      if (close === undefined || alternatives === undefined) {
        const part = typeof token === 'string' ? literal(token) : token
        words = words.map((before) => ({ before, part }))
        continue
      }
      words = this.#product(words, alternatives)
      index = close
    }
    return words.map(partsOf)
  }

  #product(
    words: readonly (Beginning | undefined)[],
    alternatives: readonly Parts[],
  ): (Beginning | undefined)[] {
    const result: (Beginning | undefined)[] = []
    for (const word of words) {
      for (const alternative of alternatives) {
        if (result.length === this.#limit) return result
        result.push(alternative.reduce<Beginning | undefined>((before, part) => ({ before, part }), word))
      }
    }
    return result
  }

  /** The alternatives between two braces; undefined for braces that bash leaves alone, such as `{}` and `{a}`. */
  #group(from: number, to: number): Parts[] | undefined {
    if (this.#nesting >= maxNesting) return undefined
    const commas = this.#commas(from, to)
    if (commas.length === 0) return this.#range(from, to)
    this.#nesting++
    const alternatives: Parts[] = []
    let start = from
    for (const end of [...commas, to]) {
      if (alternatives.length < this.#limit) alternatives.push(...this.sequence(start, end))
      start = end + 1
    }
    this.#nesting--
    return alternatives
  }

  #commas(from: number, to: number): number[] {
    const commas: number[] = []
    for (let index = from; index < to; index++) {
      if (this.#tokens[index] === ',') commas.push(index)
      else if (this.#tokens[index] === '{') index = this.#pairs.get(index) ?? index
    }
    return commas
  }

  #range(from: number, to: number): Parts[] | undefined {
    const token = this.#tokens[from]
    if (to !== from + 1 || typeof token !== 'object' || token.quoted || token.kind !== 'literal')
      return undefined
    return expandRange(token.text, this.#limit)?.map((text) => [literal(text)])
  }
}

function partsOf(word: Beginning | undefined): Parts {
  const parts: WordPart[] = []
  for (let rest = word; rest !== undefined; rest = rest.before) parts.push(rest.part)
  return parts.reverse()
}

/** `1..9`, `09..1..2`, `a..e`. */
function expandRange(text: string, limit: number): string[] | undefined {
  const [, from = '', to = '', increment = '1'] =
    /^(-?\d{1,15}|[A-Za-z])\.\.(-?\d{1,15}|[A-Za-z])(?:\.\.(-?\d{1,15}))?$/.exec(text) ?? []
  const letters = /^[A-Za-z]/.test(from)
  if (from === '' || /^[A-Za-z]/.test(to) !== letters) return undefined
  const first = letters ? from.charCodeAt(0) : Number(from)
  const last = letters ? to.charCodeAt(0) : Number(to)
  const step = Math.abs(Number(increment)) || 1
  const padded = !letters && [from, to].some((number) => /^-?0\d/.test(number))
  const width = padded ? Math.max(from.length, to.length) : 0
  const count = Math.min(Math.floor(Math.abs(last - first) / step) + 1, limit)
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -index : index) * step
    return letters ? String.fromCharCode(value) : pad(value, width)
  })
}

function pad(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
}

function literal(text: string): WordPart {
  return { quoted: false, kind: 'literal', text }
}
