// What speaks against a command, and what the checks of the read-only forms have at hand.

import type { Argument } from './argument.js'
import type { Effect } from './judgement.js'

/** Why a command is not known to only read. */
export interface Objection {
  rule: string
  effect: Effect
  /** A few words, which follow the name of the program: `option \`-o\` is not known to only read`. */
  why: string
}

export function notKnown(why: string, effect: Effect = 'unknown'): Objection {
  return { rule: 'not-known-to-read', effect, why }
}

/** The commands that a check leads to. */
export interface Judging {
  /** The command that a wrapper runs: its name and its arguments. Nothing is run where there are none. */
  command(words: readonly Argument[]): Objection | null
  /** The same, where the program is started without PATH. */
  commandWithoutPath(words: readonly Argument[]): Objection | null
  /** The text that a shell runs. Judged later; what is wrong with it is told there. */
  script(text: string): Objection | null
  /** The command runs several programs at a time. */
  severalAtATime(): Objection | null
  /** The command runs a script any number of times. */
  noteRepeated(): void
  /** What runs depends on the configuration of a repository. */
  noteRepository(): void
  /** A git command is among them. */
  noteGit(): void
  /** Later commands run in another directory. */
  noteOtherDirectory(): void
  /** A variable becomes an array. */
  noteArray(): void
  /** `local` is given a value that is not known, which is evaluated where the name is that of an array. */
  noteOpenLocal(): void
  /** How many arrays the command itself assigns: `declare x=(a b)`. */
  readonly compounds: number
  /** Where the command was started. */
  readonly workingDir: string
}

/**
 * @param args without the name of the program
 * @returns null: it only reads
 */
export type Check = (args: readonly Argument[], judging: Judging, program: string) => Objection | null

/** What is certain of the beginning; empty where nothing is. */
export function headOf(argument: Argument | undefined): string {
  if (argument === undefined || argument.kind === 'unknown') return ''
  return argument.kind === 'text' ? argument.text : argument.head
}

export function textIn(argument: Argument | undefined): string | undefined {
  return argument?.kind === 'text' ? argument.text : undefined
}

/** Whether it may be several words, or none. */
export function isSeveral(argument: Argument): boolean {
  return argument.kind !== 'text' && argument.several
}

/** Whether it may be an option for all that is known. */
export function mayBeOption(argument: Argument): boolean {
  return argument.kind === 'unknown' || headOf(argument).startsWith('-')
}
