// Pathname patterns: what `*`, `?`, `[…]` and the extended patterns match. Backslashes quote.

/** Longer extended patterns match nothing here: they become regular expressions. */
const maxExtendedLength = 200

const isPatternText = /(?<!\\)(?:\\\\)*(?:[*?[]|[+@!]\()/

/** Whether there is anything but quoted and ordinary characters in it. */
export function isPattern(pattern: string): boolean {
  return isPatternText.test(pattern)
}

const special = /[\\*?[\](){}|!+@]/g

/** The pattern that matches exactly `text`. */
export function escapePattern(text: string): string {
  return text.replace(special, '\\$&')
}

/** What a pattern without special characters matches. */
export function unescapePattern(pattern: string): string {
  return pattern.includes('\\') ? pattern.replace(/\\(.)/gs, '$1') : pattern
}

/** Ordinary names, as different from one another as they come. */
const names = ['src', 'README.md', 'Makefile', 'node_modules', 'package.json', 'Zed', 'a-b_c']
const hiddenNames = ['.git', '.env', '.github', '.npmrc']

/** Whether the pattern of one path component leaves (nearly) no name out: `*`, `?*`, `[!.]*`, … */
export function matchesEverything(pattern: string): boolean {
  return names.every((name) => matches(pattern, name))
}

/** Whether it leaves (nearly) no hidden name out: `.*`, `.[!.]*`, `.??*`, … */
export function matchesEverythingHidden(pattern: string): boolean {
  return pattern.startsWith('.') && hiddenNames.every((name) => matches(pattern, name))
}

/**
 * Whether the pattern of one path component matches a name. A dot at the beginning is matched as `dotglob` would have
 * it, except by a `*`: `?git` is `.git` to whoever has written it, and `*git` is not.
 */
export function matches(pattern: string, name: string): boolean {
  if (name.startsWith('.') && pattern.startsWith('*')) return false
  if (/[?*+@!]\(/.test(pattern)) return matchesExtended(pattern, name)
  // The usual algorithm with one place to come back to: the last `*`.
  let at = 0
  let index = 0
  let star = -1
  let starAt = 0
  while (index < name.length) {
    const next = pattern[at] === '*' ? -1 : matchOne(pattern, at, name[index] as string)
    if (pattern[at] === '*') {
      star = at++
      starAt = index
    } else if (next !== -1) {
      at = next
      index++
    } else if (star !== -1) {
      at = star + 1
      index = ++starAt
    } else {
      return false
    }
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** Where the pattern goes on when what stands at `at` matches the character; -1 when it does not. */
function matchOne(pattern: string, at: number, character: string): number {
  switch (pattern[at]) {
    case undefined:
      return -1
    case '?':
      return at + 1
    case '\\':
      return pattern[at + 1] === character ? at + 2 : -1
    case '[': {
      const bracket = readBracket(pattern, at)
      if (bracket === null) return character === '[' ? at + 1 : -1
      return bracket.matches(character) ? bracket.end : -1
    }
    default:
      return pattern[at] === character ? at + 1 : -1
  }
}

interface Bracket {
  end: number
  matches(character: string): boolean
}

/** A longer one is no mistake of anyone. */
const maxBracketLength = 100

function readBracket(pattern: string, at: number): Bracket | null {
  const text = pattern.slice(at, at + maxBracketLength)
  const match = /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(text)
  if (match === null) return null
  const [{ length }, negation, members] = match as unknown as [string, string, string]
  return {
    end: at + length,
    matches: (character) => isMember(members, character) !== (negation !== ''),
  }
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  upper: /[A-Z]/,
}

function isMember(members: string, character: string): boolean {
  for (const [item, name, from, to] of members.matchAll(
    /\[:(\w+):\]|(?:\\(?=.))?(.)-(?:\\(?=.))?(.)|\\?./gs,
  )) {
    if (name !== undefined) {
      if (classes[name]?.test(character)) return true
    } else if (from !== undefined && to !== undefined) {
      if (character >= from && character <= to) return true
    } else if (item.at(-1) === character) {
      return true
    }
  }
  return false
}

/** Patterns as `@(a|b)` and `!(a)`, with `shopt -s extglob`. */
function matchesExtended(pattern: string, name: string): boolean {
  if (pattern.length > maxExtendedLength) return false
  try {
    return new RegExp(`^${toRegExp(pattern)}$`, 's').test(name)
  } catch {
    // Unbalanced parentheses, or brackets that are none.
    return false
  }
}

function toRegExp(pattern: string): string {
  const closers: string[] = []
  let source = ''
  for (const [item, quoted, opener] of pattern.matchAll(/\\(.)|([?*+@!])\(|\[[!^]?\]?[^\]]*\]|./gs)) {
    if (quoted !== undefined) source += quoted.replace(/\W/, '\\$&')
    else if (opener === '!') {
      source += '(?:(?!(?:'
      closers.push(')$).*)')
    } else if (opener !== undefined) {
      source += '(?:'
      closers.push(opener === '@' ? ')' : `)${opener}`)
    } else if (item === ')') source += closers.pop() ?? '\\)'
    else if (item === '|') source += closers.length > 0 ? '|' : '\\|'
    else if (item === '*') source += '.*'
    else if (item === '?') source += '.'
    else if (item.length > 1) source += item.replace(/^\[[!^]/, '[^')
    else source += item.replace(/\W/, '\\$&')
  }
  return source
}
