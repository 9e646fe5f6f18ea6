// What is said of a sub-command of git that discards something.

import type { OptionTable } from '../../safety/option-words.js'
import type { Argument } from '../../safety/rule.js'
import type { AtRisk } from './discard.js'
import { type GitWords, textsOf } from './git-words.js'

export interface Danger {
  /** What the command does, behind its words: `deletes a stash, and nothing brings it back`. */
  does: string
  /** Undefined: not known, or nothing that a look would tell. */
  atRisk: readonly AtRisk[] | undefined
  /** Whether it changes nothing where there is nothing to lose. Default false. */
  isInert?: boolean
}

export interface DiscardForm {
  options?: OptionTable
  /** @returns undefined: it discards nothing; null: it does not, whatever else its words may be */
  read(git: GitWords): Danger | undefined | null
}

export const movesBranch =
  'takes commits off a branch that may be on no other; only the reflog knows them for a while'

/** @param kept where the branches are moved to; none: they go */
export function commits(
  branches: readonly Argument[],
  kept: readonly Argument[] = [],
): readonly AtRisk[] | undefined {
  const known = textsOf([...branches, ...kept])
  if (known === undefined || known.some((text) => text.startsWith('-') || text === '')) return undefined
  return [
    {
      kind: 'commits',
      branches: known.slice(0, branches.length).map((name) => `refs/heads/${name}`),
      kept: known.slice(branches.length),
    },
  ]
}

/** Undefined where one of them is. */
export const joined = (
  ...lists: readonly (readonly AtRisk[] | undefined)[]
): readonly AtRisk[] | undefined =>
  lists.some((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? [])

export const literal = (text: string): Argument => ({ text, source: text, pattern: null, start: 0, end: 0 })
