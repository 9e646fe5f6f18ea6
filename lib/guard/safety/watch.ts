// Whoever looks on while the commands of a text are examined: for rules that need to know more than a command's words.

import type { Field } from './expansion/field.js'
import type { ItemRange, Span } from './script/script.js'
import type { InputText } from './wrappers/payload.js'

export interface WatchedCommand {
  /** The name of the program without its directory. */
  program: string
  words: readonly [Field, ...Field[]]
  /** What runs the script that the command is in, such as `bash -s`; undefined for the text itself. */
  runner: Runner | undefined
  /** What it may read from its standard input; undefined: not known. */
  input(): InputText | undefined
  /** What `<(…)` may give; undefined: not known. */
  outputOf(items: ItemRange): readonly string[] | undefined
}

/** The program that reads a script, and where in the text the outermost of those around it stands. */
export interface Runner extends Span {
  program: string
}

export interface Watch {
  visit(command: WatchedCommand): void
  /** What a program may print of which nothing is known otherwise; undefined: that is so. */
  output(command: WatchedCommand): readonly string[] | undefined
}
