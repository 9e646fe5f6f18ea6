// Offsets in a text that was taken out of another one with escapes removed, in terms of that other one.

import type { Span } from './script.js'

/** `at(offset)`: where the character of this text stands in the script. */
export interface Source {
  text: string
  at: (offset: number) => number
}

export function wholeText(text: string): Source {
  return { text, at: (offset) => offset }
}

export function spanIn({ at }: Source, start: number, end: number): Span {
  return { start: at(start), end: end > start ? at(end - 1) + 1 : at(end) }
}

/**
 * The commands between backticks, where a backslash before `$`, a backtick or a backslash is removed; between double
 * quotes also before a double quote.
 *
 * @param start of what stands between the backticks, in the text of `outer`
 */
export function backtickSource(outer: Source, start: number, end: number, inDoubleQuotes: boolean): Source {
  const raw = outer.text.slice(start, end)
  if (!raw.includes('\\')) return { text: raw, at: (offset) => outer.at(start + offset) }
  const removed: number[] = []
  const text = raw.replace(
    inDoubleQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g,
    (_, character: string, at: number) => {
      removed.push(at - removed.length)
      return character
    },
  )
  return { text, at: (offset) => outer.at(start + offset + countUpTo(removed, offset)) }
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
