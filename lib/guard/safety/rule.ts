// What a safety rule is, what it sees of a command, and how it is asked.

import { BashError, messageOf } from '../../base/errors.js'
import { type Span, spanOf } from './script/script.js'

/**
 * Stands in texts for what only running the command tells, such as the output of a program: a code point that is never
 * a character (Unicode, "Noncharacters").
 */
export const unknownText = '\u{FDD0}'

/** A word as the program gets it: after expansion, without quotes. */
export interface Argument extends Span {
  /** With {@link unknownText} for each part that is not known. */
  text: string
  /** For an unquoted pathname pattern, such as `*.o`: the pattern, with `\` before what was quoted. */
  pattern: string | null
  /** As written in the script. */
  source: string
}

/** A simple command, as far as its text tells what it will be: wrappers such as `sudo` are taken off. */
export interface CheckedCommand<Word extends Argument = Argument> {
  /** The name of the program without its directory: `'rm'` for `/bin/rm`. */
  program: string
  /** The name and the arguments. */
  words: readonly [Word, ...Word[]]
  /** Where it runs: an absolute path, normalised; null when not known. */
  workingDir: string | null
  /** Where the whole command was started. */
  startDir: string
  /** The directory of the conversation, which a session may have left before; undefined: `startDir`. */
  contextDir?: string | undefined
  /** Whether it certainly runs in `workingDir`: it runs only if each `cd` before it has succeeded. */
  hasArrived?: (() => boolean) | undefined
  /** The value of HOME; null when not known. */
  home: string | null
  /** The text that was given, which the words stand in; undefined for a command of a script in it, as of `bash -c`. */
  script?: string | undefined
}

/** Refuses a kind of command. */
export interface SafetyRule<Word extends Argument = Argument> {
  /** Appears in verdicts, and names the rule in the options. */
  readonly name: string
  /** What it refuses, in a few words for a tool's description, such as `'git push --force'`. Default: the name. */
  readonly refuses?: string | undefined
  /** The argument to object to, which is `command.words[0]` for a command as such; null: there is no objection. */
  applies(command: CheckedCommand<Word>): Word | null
  /** What was found, why it is refused, and a safer command to type instead. */
  explain(command: CheckedCommand<Word>, argument: Word): string
}

/** What a rule has found, and where in the original command. */
export interface Finding extends Span {
  rule: string
  message: string
}

/** @throws {BashError} ERR_SAFETY_RULE when a rule throws, or answers with something else than it should */
export function askRules(rules: readonly SafetyRule[], command: CheckedCommand): Finding | undefined {
  for (const rule of rules) {
    const message = objection(rule, command)
    if (message === undefined) continue
    return { rule: rule.name, message, ...spanOf(command.words) }
  }
  return undefined
}

function objection(rule: SafetyRule, command: CheckedCommand): string | undefined {
  let message: unknown
  try {
    const argument = rule.applies(command)
    // Rules written in JavaScript may return nothing.
    if (argument === null || argument === undefined) return undefined
    message = rule.explain(command, argument)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new BashError('ERR_SAFETY_RULE', `safety rule ${rule.name} failed: ${reason}`, { cause })
  }
  if (typeof message === 'string') return message
  throw new BashError('ERR_SAFETY_RULE', `safety rule ${rule.name}: explain() must return a string`)
}
