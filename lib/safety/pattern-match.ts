// Matches a pattern with a name: for each piece of the pattern, where in the name it may end. With that, extended patterns
// such as `!(a|b)` need no searching.

/** Groups in groups; deeper ones match nothing. */
const maxNesting = 4

/** Longer patterns with groups match nothing: groups are read again for each place where they may begin. */
const maxLengthWithGroups = 500

const openers = new Set(['?', '*', '+', '@', '!'])

export class PatternMatch {
  private at = 0

  constructor(
    private readonly pattern: string,
    private readonly name: string,
  ) {}

  isWhole(): boolean {
    return this.sequence(new Set([0]), 0).has(this.name.length)
  }

  /** Where the rest of the pattern, or of an alternative in a group, may end that begins at one of `starts`. */
  private sequence(starts: ReadonlySet<number>, nesting: number): ReadonlySet<number> {
    let ends = starts
    for (let next = this.pattern[this.at]; next !== undefined; next = this.pattern[this.at]) {
      if (nesting > 0 && (next === '|' || next === ')')) return ends
      // Groups have to be read to their end.
      if (nesting === 0 && ends.size === 0) return ends
      if (openers.has(next) && this.pattern[this.at + 1] === '(') ends = this.group(next, ends, nesting)
      else if (next === '*') ends = this.star(ends)
      else ends = this.one(ends)
    }
    return ends
  }

  private star(starts: ReadonlySet<number>): ReadonlySet<number> {
    // More of them match no more.
    while (this.pattern[this.at] === '*' && this.pattern[this.at + 1] !== '(') this.at++
    return starts.size === 0 ? starts : this.from(Math.min(...starts))
  }

  private from(start: number): Set<number> {
    return new Set(Array.from({ length: this.name.length - start + 1 }, (_, index) => start + index))
  }

  private one(starts: ReadonlySet<number>): ReadonlySet<number> {
    const isMatch = this.readOne()
    const ends = new Set<number>()
    for (const start of starts) {
      const character = this.name[start]
      if (character !== undefined && isMatch(character)) ends.add(start + 1)
    }
    return ends
  }

  private readOne(): (character: string) => boolean {
    const first = this.pattern[this.at++] as string
    if (first === '?') return () => true
    if (first === '\\') {
      const quoted = this.pattern[this.at++]
      return (character) => character === quoted
    }
    const bracket = first === '[' ? readBracket(this.pattern, this.at - 1) : null
    if (bracket === null) return (character) => character === first
    this.at = bracket.end
    return bracket.matches
  }

  private group(opener: string, starts: ReadonlySet<number>, nesting: number): ReadonlySet<number> {
    const body = this.at + 2
    if (nesting >= maxNesting || this.pattern.length > maxLengthWithGroups) return this.giveUp()
    const once = (from: ReadonlySet<number>) => this.alternatives(body, from, nesting)
    const ends = once(starts)
    switch (opener) {
      case '@':
        return ends
      case '?':
        return new Set([...starts, ...ends])
      case '!':
        return new Set([...starts].flatMap((start) => this.except(start, once(new Set([start])))))
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
  private alternatives(body: number, starts: ReadonlySet<number>, nesting: number): ReadonlySet<number> {
    const ends = new Set<number>()
    this.at = body - 1
    do {
      this.at++
      for (const end of this.sequence(starts, nesting + 1)) ends.add(end)
    } while (this.pattern[this.at] === '|')
    // Without its end it is no group.
    if (this.pattern[this.at] === undefined) return this.giveUp()
    this.at++
    return ends
  }

  private except(start: number, ends: ReadonlySet<number>): number[] {
    return [...this.from(start)].filter((end) => !ends.has(end))
  }

  private giveUp(): ReadonlySet<number> {
    this.at = this.pattern.length
    return new Set()
  }
}

interface Bracket {
  /** Where the pattern goes on. */
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
