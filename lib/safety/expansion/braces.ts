// Brace expansion: `{a,b}` and `{1..9}`, before anything else is expanded (bash manual, "Brace Expansion").

import type { WordPart } from '../script/script.js'

/** How many words one word may become; further ones are left out. Fewer, if they are long. */
const maxWords = 1000
const minWords = 4
const maxParts = 200_000

/** Braces nested deeper stay as they are. */
const maxNesting = 32

/** A character of an unquoted literal that matters to braces, or anything else. */
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
  return new BraceReader(tokens, findPairs(tokens), words).sequence(0, tokens.length)
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
  before: Beginning | null
  part: WordPart
}

class BraceReader {
  private nesting = 0

  constructor(
    private readonly tokens: readonly Token[],
    private readonly pairs: ReadonlyMap<number, number>,
    private readonly limit: number,
  ) {}

  /** What the tokens from `from` to before `to` become. */
  sequence(from: number, to: number): Parts[] {
    let words: (Beginning | null)[] = [null]
    for (let index = from; index < to; index++) {
      const close = this.tokens[index] === '{' ? this.pairs.get(index) : undefined
      const alternatives = close === undefined || close >= to ? null : this.group(index + 1, close)
      if (alternatives === null) {
        const part = partOf(this.tokens[index] as Token)
        words = words.map((before) => ({ before, part }))
        continue
      }
      words = this.product(words, alternatives)
      index = close as number
    }
    return words.map(partsOf)
  }

  private product(
    words: readonly (Beginning | null)[],
    alternatives: readonly Parts[],
  ): (Beginning | null)[] {
    const result: (Beginning | null)[] = []
    for (const word of words) {
      for (const alternative of alternatives) {
        if (result.length === this.limit) return result
        result.push(alternative.reduce<Beginning | null>((before, part) => ({ before, part }), word))
      }
    }
    return result
  }

  /** What stands between braces; null: braces that are none, such as `{}` and `{a}`. */
  private group(from: number, to: number): Parts[] | null {
    if (this.nesting >= maxNesting) return null
    const commas = this.commas(from, to)
    if (commas.length === 0) return this.range(from, to)
    this.nesting++
    const alternatives: Parts[] = []
    let start = from
    for (const end of [...commas, to]) {
      if (alternatives.length < this.limit) alternatives.push(...this.sequence(start, end))
      start = end + 1
    }
    this.nesting--
    return alternatives
  }

  private commas(from: number, to: number): number[] {
    const commas: number[] = []
    for (let index = from; index < to; index++) {
      if (this.tokens[index] === ',') commas.push(index)
      else if (this.tokens[index] === '{') index = this.pairs.get(index) ?? index
    }
    return commas
  }

  private range(from: number, to: number): Parts[] | null {
    const token = this.tokens[from]
    if (to !== from + 1 || typeof token !== 'object' || token.quoted || token.kind !== 'literal') return null
    return expandRange(token.text, this.limit)?.map((text) => [literal(text)]) ?? null
  }
}

function partsOf(word: Beginning | null): Parts {
  const parts: WordPart[] = []
  for (let rest = word; rest !== null; rest = rest.before) parts.push(rest.part)
  return parts.reverse()
}

/** `1..9`, `09..1..2`, `a..e`. */
function expandRange(text: string, limit: number): string[] | null {
  const match = /^(?:(-?\d{1,15})\.\.(-?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,15}))?$/.exec(text)
  if (match === null) return null
  const [, firstNumber, lastNumber, firstLetter, lastLetter, increment] = match
  const letters = firstLetter !== undefined
  const first = letters ? firstLetter.charCodeAt(0) : Number(firstNumber)
  const last = letters ? (lastLetter as string).charCodeAt(0) : Number(lastNumber)
  const step = Math.abs(Number(increment ?? 1)) || 1
  const padded = !letters && [firstNumber, lastNumber].some((number) => /^-?0\d/.test(number as string))
  const width = padded ? Math.max((firstNumber as string).length, (lastNumber as string).length) : 0
  const count = Math.min(Math.floor(Math.abs(last - first) / step) + 1, limit)
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -index : index) * step
    return letters ? String.fromCharCode(value) : pad(value, width)
  })
}

function pad(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
}

function partOf(token: Token): WordPart {
  return typeof token === 'string' ? literal(token) : token
}

function literal(text: string): WordPart {
  return { quoted: false, kind: 'literal', text }
}
