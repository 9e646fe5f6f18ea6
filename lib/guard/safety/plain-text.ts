// A first look at a command: most are plain words, and name no program that a rule is about.

import type { OrderedRules } from './options.js'
import { gitAddBlind, gitPushForce } from './rules/git.js'
import { mayNeedTerminal, needsTerminal } from './rules/needs-terminal.js'
import { rmDangerous } from './rules/rm-dangerous.js'

/** Characters. Of a longer command a promise is returned. */
const longest = 4096

/** Without quotes, expansions, patterns, redirections and comments: a word is what it looks like. */
const plain = /^[\w\s./=:,@+;&|-]*$/

/** The programs that each rule is about: without one of them in a plain text it has nothing to refuse. */
const programs = new Map([
  [gitAddBlind, /\bgit\b/],
  [gitPushForce, /\bgit\b/],
  [rmDangerous, /\b(?:rm|find)\b/],
])

/**
 * Whether no rule can refuse a command, as far as that shows without reading it; false also where it does not show. Rules of
 * a host may be about anything.
 */
export function isPlainlyAllowed(command: string, { rules, lastRules }: OrderedRules): boolean {
  if (command.length > longest || !plain.test(command)) return false
  for (const rule of rules) if (programs.get(rule)?.test(command) !== false) return false
  for (const rule of lastRules) if (rule !== needsTerminal || mayNeedTerminal(command)) return false
  return true
}
