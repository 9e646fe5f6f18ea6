// Pathname patterns: what `*`, `?`, `[…]` and the extended patterns match. Backslashes quote.

import { PatternMatch } from './pattern-match.js'

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
  return new PatternMatch(pattern, name).isWhole()
}
