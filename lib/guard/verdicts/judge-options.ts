// What is to be known to judge a command.

import type { Policy } from './policy/policy.js'

export interface JudgeOptions {
  /** Where the command is going to run: an absolute path. Default: this process's working directory. */
  workingDir?: string
  /** The value of HOME for the command. Default: the home directory of this process's user. */
  home?: string
  /** The decision about commands of which nothing is known. Default `'ask'`. */
  default?: 'ask' | 'deny'
  /** Rules of the host, as {@link loadPolicy} returns them. Default: none. */
  policy?: Policy
}

export type ResolvedJudgeOptions = Required<JudgeOptions>
