// Where a regular expression between delimiters ends. Programs do not agree about brackets: `[/]` holds the delimiter
// for some, and for others the expression ends within it.

export interface DelimitedEnds {
  /** Where the closing delimiter is, for all programs that know of brackets. */
  end: number
  /** Where it is for those that do not: the same place, or earlier. */
  plainEnd: number
}

/**
 * @param start behind the opening delimiter
 * @returns null: it does not end on this line, or programs that know of brackets do not agree
 */
export function endsOfExpression(text: string, start: number, delimiter: string): DelimitedEnds | null {
  const plainEnd = plainEndOf(text, start, delimiter)
  if (plainEnd === null) return null
  if (!text.slice(start, plainEnd).includes('[')) return { end: plainEnd, plainEnd }
  const [end = null, ...others] = bracketRules.map((rules) => bracketEndOf(text, start, delimiter, rules))
  return end === null || others.some((other) => other !== end) ? null : { end, plainEnd }
}

/** Where the text ends in which only a backslash keeps the delimiter from ending it; null: not on this line. */
export function plainEndOf(text: string, start: number, delimiter: string): number | null {
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === delimiter) return index
    if (character === '\\') index++
    if (text.charAt(index) === '\n') return null
  }
  return null
}

interface BracketRules {
  /** Whether a backslash escapes what follows it. */
  escapes: boolean
  /** Whether there are `[:alpha:]`, `[.-.]` and `[=a=]`. */
  classes: boolean
}

const bracketRules: readonly BracketRules[] = [
  { escapes: false, classes: true },
  { escapes: false, classes: false },
  { escapes: true, classes: true },
  { escapes: true, classes: false },
]

function bracketEndOf(text: string, start: number, delimiter: string, rules: BracketRules): number | null {
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === delimiter) return index
    if (character === '\\') index++
    else if (character === '[') {
      const close = closeOfBracket(text, index, rules)
      if (close === null) return null
      index = close
    }
    if (text.charAt(index) === '\n') return null
  }
  return null
}

/** @param open the place of `[` */
function closeOfBracket(text: string, open: number, { escapes, classes }: BracketRules): number | null {
  let index = open + 1
  if (text.charAt(index) === '^') index++
  // A bracket that comes first is one of the characters.
  if (text.charAt(index) === ']') index++
  for (; index < text.length && text.charAt(index) !== '\n'; index++) {
    const character = text.charAt(index)
    if (character === ']') return index
    if (escapes && character === '\\') index++
    const kind = text.charAt(index + 1)
    if (classes && character === '[' && ':.='.includes(kind) && kind !== '') {
      const close = text.indexOf(`${kind}]`, index + 2)
      if (close === -1) return null
      index = close + 1
    }
  }
  return null
}

/**
 * Whether the text holds a character that some encodings take together with the one behind it, where that one has a
 * meaning: the second byte of a character may be `\\` or `|` in Shift-JIS, GBK and Big5.
 */
export function hidesCharacters(text: string): boolean {
  return /[^\0-\x7f][@[\\\]^_`{|}~]/.test(text)
}
