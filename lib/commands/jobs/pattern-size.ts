// How large the automaton of a regular expression will be, told from its text: compiling it to see may take seconds.

/** A counted repetition, such as `{3}`, `{3,}` or `{3,7}`. */
const repetition = /\{(\d+)(,?)(\d*)\}/y

/** How a group begins that does not capture, or has a name; without a colon only flags are set. */
const groupStart = /\(\?(?:P?<\w+>|[a-zA-Z-]*[:)])/y

/** What the innermost open group holds: all of it, and its last part, which a repetition would multiply. */
interface Sequence {
  size: number
  last: number
  /** Instructions of the group itself. */
  capture: number
}

/**
 * An estimate, mostly on the high side, of the instructions that RE2 makes of `pattern`, whether it is valid or not.
 * It takes time in proportion to the pattern's length.
 */
export function estimateSize(pattern: string): number {
  const open: Sequence[] = []
  let current: Sequence = { size: 0, last: 0, capture: 0 }
  const append = (size: number) => {
    current.size += size
    current.last = size
  }
  let at = 0
  while (at < pattern.length) {
    const character = pattern.charAt(at)
    if (character === '\\') {
      const end = escapeEnd(pattern, at)
      // Of a quoted text, \Q…\E, only the last character is repeated.
      if (pattern.startsWith('\\Q', at)) append(Math.max(end - at - 4, 0))
      append(1)
      at = end
      continue
    }
    if (character === '[') {
      append(1)
      at = classEnd(pattern, at)
      continue
    }
    if (character === '(') {
      const start = groupStartAt(pattern, at)
      if (!start.endsWith(')')) {
        open.push(current)
        current = { size: 0, last: 0, capture: start.endsWith(':') ? 0 : 2 }
      }
      at += start.length
      continue
    }
    if (character === ')') {
      const size = current.size + current.capture
      current = open.pop() ?? { size: 0, last: 0, capture: 0 }
      append(size)
    } else if (character === '{') {
      const factor = repetitionFactor(pattern, at)
      if (factor === undefined) append(1)
      else {
        const size = current.last * factor
        current.size += size - current.last
        current.last = size
        at = repetition.lastIndex
        continue
      }
    } else if ('*+?|'.includes(character)) {
      current.size += 1
      current.last += 1
    } else append(1)
    at += 1
  }
  return open.reduce((sum, { size }) => sum + size, current.size)
}

function groupStartAt(pattern: string, at: number): string {
  groupStart.lastIndex = at
  return groupStart.exec(pattern)?.[0] ?? '('
}

/** How many times its operand a repetition is; an optional copy takes an instruction more. */
function repetitionFactor(pattern: string, at: number): number | undefined {
  repetition.lastIndex = at
  const match = repetition.exec(pattern)
  if (match === null) return undefined
  const least = Number(match[1])
  if (match[2] === '') return Math.max(least, 1)
  const most = match[3] === '' ? least + 1 : Number(match[3])
  return Math.max(least + 2 * (most - least), 1)
}

/** Where the escape at `at` ends: `\d`, `\pL`, `\p{Greek}`, `\x{1F600}`, `\Q…\E`. */
function escapeEnd(pattern: string, at: number): number {
  if (pattern.startsWith('\\Q', at)) {
    const end = pattern.indexOf('\\E', at + 2)
    return end === -1 ? pattern.length : end + 2
  }
  const braces = 'pPx'.includes(pattern.charAt(at + 1)) && pattern.charAt(at + 2) === '{'
  const end = braces ? pattern.indexOf('}', at) + 1 : 0
  return end > 0 ? end : at + 2
}

/** Where the character class at `at` ends; a bracket that comes first, or in `[:alpha:]`, does not end it. */
function classEnd(pattern: string, at: number): number {
  let next = at + 1
  if (pattern.charAt(next) === '^') next++
  if (pattern.charAt(next) === ']') next++
  while (next < pattern.length) {
    const character = pattern.charAt(next)
    if (character === ']') return next + 1
    const named = pattern.startsWith('[:', next) ? pattern.indexOf(':]', next) : -1
    if (named !== -1) next = named + 2
    else next += character === '\\' ? 2 : 1
  }
  return pattern.length
}
