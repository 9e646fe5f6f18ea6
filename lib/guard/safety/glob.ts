// Pathname patterns: what `*`, `?`, `[…]` and the extended patterns match. Backslashes quote.

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

/** Ordinary names, as different from each other as possible. */
const names = ['src', 'README.md', 'Makefile', 'node_modules', 'package.json', 'Zed', 'a-b_c']
const hiddenNames = ['.git', '.env', '.github', '.npmrc']

/** Whether the pattern of one path component leaves (nearly) no name out: `*`, `?*`, `[!.]*`, … */
export function matchesEverything(pattern: string): boolean {
  return isPattern(pattern) && names.every((name) => matches(pattern, name))
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
  return new PatternMatch(pattern, name).isWhole()
}

/** Groups in groups; deeper ones match nothing. */
const maxNesting = 4

/** Longer patterns with groups match nothing: groups are read again for each place where they may begin. */
const maxLengthWithGroups = 500

const openers = new Set(['?', '*', '+', '@', '!'])

/**
 * Matches a pattern with a name: for each piece of the pattern, where in the name it may end. With that, extended
 * patterns such as `!(a|b)` need no searching.
 */
class PatternMatch {
  readonly #pattern: string
  readonly #name: string
  #at = 0

  constructor(pattern: string, name: string) {
    this.#pattern = pattern
    this.#name = name
  }

  isWhole(): boolean {
    return this.#sequence(new Set([0]), 0).has(this.#name.length)
  }

  /** Where the rest of the pattern, or of an alternative in a group, may end that begins at one of `starts`. */
  #sequence(starts: ReadonlySet<number>, nesting: number): ReadonlySet<number> {
    let ends = starts
    for (let next = this.#pattern[this.#at]; next !== undefined; next = this.#pattern[this.#at]) {
      if (nesting > 0 && (next === '|' || next === ')')) return ends
      // Groups have to be read to their end.
      if (nesting === 0 && ends.size === 0) return ends
      if (openers.has(next) && this.#pattern[this.#at + 1] === '(') ends = this.#group(next, ends, nesting)
      else if (next === '*') ends = this.#star(ends)
      else ends = this.#one(ends)
    }
    return ends
  }

  #star(starts: ReadonlySet<number>): ReadonlySet<number> {
    // Several in a row match what one does.
    while (this.#pattern[this.#at] === '*' && this.#pattern[this.#at + 1] !== '(') this.#at++
    return starts.size === 0 ? starts : this.#from(Math.min(...starts))
  }

  #from(start: number): Set<number> {
    return new Set(Array.from({ length: this.#name.length - start + 1 }, (_, index) => start + index))
  }

  #one(starts: ReadonlySet<number>): ReadonlySet<number> {
    const isMatch = this.#readOne()
    const ends = new Set<number>()
    for (const start of starts) {
      const character = this.#name[start]
      if (character !== undefined && isMatch(character)) ends.add(start + 1)
    }
    return ends
  }

  #readOne(): (character: string) => boolean {
    const first = this.#pattern.charAt(this.#at++)
    if (first === '?') return () => true
    if (first === '\\') {
      const quoted = this.#pattern[this.#at++]
      return (character) => character === quoted
    }
    const bracket = first === '[' ? readBracket(this.#pattern, this.#at - 1) : undefined
    if (bracket === undefined) return (character) => character === first
    this.#at = bracket.end
    return bracket.matches
  }

  #group(opener: string, starts: ReadonlySet<number>, nesting: number): ReadonlySet<number> {
    const body = this.#at + 2
    if (nesting >= maxNesting || this.#pattern.length > maxLengthWithGroups) return this.#giveUp()
    const once = (from: ReadonlySet<number>) => this.#alternatives(body, from, nesting)
    const ends = once(starts)
    switch (opener) {
      case '@':
        return ends
      case '?':
        return new Set([...starts, ...ends])
      case '!':
        return new Set([...starts].flatMap((start) => this.#except(start, once(new Set([start])))))
      default: {
        const all = new Set(ends)
        for (let added = ends; added.size > 0; ) {
          added = new Set([...once(added)].filter((end) => !all.has(end)))
          for (const end of added) all.add(end)
        }
        return opener === '+' ? all : new Set([...starts, ...all])
      }
    }
  }

  /** Where the alternatives of a group may end; what follows the group is next. */
  #alternatives(body: number, starts: ReadonlySet<number>, nesting: number): ReadonlySet<number> {
    const ends = new Set<number>()
    this.#at = body - 1
    do {
      this.#at++
      for (const end of this.#sequence(starts, nesting + 1)) ends.add(end)
    } while (this.#pattern[this.#at] === '|')
    // Without its end it is no group.
    if (this.#pattern[this.#at] === undefined) return this.#giveUp()
    this.#at++
    return ends
  }

  #except(start: number, ends: ReadonlySet<number>): number[] {
    return [...this.#from(start)].filter((end) => !ends.has(end))
  }

  #giveUp(): ReadonlySet<number> {
    this.#at = this.#pattern.length
    return new Set()
  }
}

interface Bracket {
  /** Where the pattern goes on. */
  end: number
  matches(character: string): boolean
}

/** Nobody writes a longer one by mistake. */
const maxBracketLength = 100

function readBracket(pattern: string, at: number): Bracket | undefined {
  const text = pattern.slice(at, at + maxBracketLength)
  const [bracket, negation, members] = /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(text) ?? []
  if (bracket === undefined || members === undefined) return undefined
  return {
    end: at + bracket.length,
    matches: (character) => isMember(members, character) !== (negation !== ''),
  }
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[a-z0-9]/i],
  ['alpha', /[a-z]/i],
  ['digit', /\d/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['upper', /[A-Z]/],
])

const member = /\[:(\w+):\]|(?:\\(?=.))?(.)-(?:\\(?=.))?(.)|\\?./gs

function isMember(members: string, character: string): boolean {
  for (const [item, name, from, to] of members.matchAll(member)) {
    if (name !== undefined) {
      if (classes.get(name)?.test(character)) return true
    } else if (from !== undefined && to !== undefined) {
      if (character >= from && character <= to) return true
    } else if (item.at(-1) === character) {
      return true
    }
  }
  return false
}
