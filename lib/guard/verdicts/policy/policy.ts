// Rules of a host about commands, as data: what a file of them says, and what is loaded from it.

import type { Decision } from '../judgement.js'

/** A rule about the commands that begin with certain words. */
export interface PolicyRule {
  /** The first words of a command, without wrappers such as `sudo`: each a text, or several that will do. */
  prefix: readonly (string | readonly string[])[]
  decision: Decision
  /** Whether the command has no more words than that. Default false. */
  exact?: boolean
  /** For whoever reads the reason: why it is so. */
  why?: string
  /** What reasons call it. Default: the prefix. */
  name?: string
  /** Commands that it has to match, at least one of each text; checked when it is loaded. */
  match?: readonly string[]
  /** Commands that it must not match; checked when it is loaded. */
  notMatch?: readonly string[]
}

/** What {@link loadPolicy} takes: the content of a file of rules. */
export interface PolicyData {
  rules: readonly PolicyRule[]
  /**
   * Names of built-in rules that do not apply: `git-add-blind`, `git-push-force`, `rm-dangerous`, `needs-terminal`,
   * `git-discard`, `pipe-to-shell`.
   */
  off?: readonly string[]
  /** What errors call it, such as the path of its file. Default `policy`. */
  from?: string
}

/** A rule that has been checked. */
export interface LoadedRule {
  readonly prefix: readonly (readonly string[])[]
  readonly decision: Decision
  readonly exact: boolean
  readonly why: string | undefined
  readonly name: string
}

/** Rules that have been checked. Made by {@link loadPolicy}. */
export class Policy {
  readonly rules: readonly LoadedRule[]
  /** Names of built-in rules that do not apply. */
  readonly off: readonly string[]

  constructor(rules: readonly LoadedRule[], off: readonly string[]) {
    this.rules = Object.freeze([...rules])
    this.off = Object.freeze([...new Set(off)])
    Object.freeze(this)
  }
}

export const noPolicy = new Policy([], [])
