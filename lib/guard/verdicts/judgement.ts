// What is said of a command before it runs.

import type { Match } from '../safety/verdict.js'

/** `ask` is what is said of everything that is not known. */
export type Decision = 'allow' | 'ask' | 'deny'

/** What the command does, or may do. */
export type Effect = 'reads' | 'writes' | 'network' | 'executes' | 'unknown'

/** Why one of the commands is not allowed. */
export interface Reason {
  /** The name of the rule, `'not-known-to-read'` or that of a safety rule. */
  rule: string
  match: Match
  /** The program, as it is called; `''` where there is none. */
  program: string
  effect: Effect
  /** For a person: what was found, and why it asks or is denied. */
  message: string
}

export interface Judgement {
  decision: Decision
  /** One for each command that is not allowed; if all are, one for each that a rule of the policy allows. At most 32. */
  reasons: Reason[]
  /**
   * What rules would allow the commands that ask, a prefix for each, at most 5: `[['npm', 'run', 'test']]`. Null where a
   * prefix would allow everything, as of `bash`, and where other things ask.
   */
  suggestion: string[][] | null
  /** Whether what runs may depend on the configuration of a repository, as that of git does. */
  repository: boolean
}
