// What a command of git would discard: the data by which a tool looks whether there is anything to lose. A judgement does
// not have it, so it is kept beside its reasons.

import type { Judgement, Reason } from '../judgement.js'

/** What may be lost, and where to look. */
export type AtRisk =
  /** Changes of tracked files that are not committed: `staged`, those in the index as well. No pathspec: of all files. */
  | { kind: 'changes'; staged: boolean; pathspecs: readonly string[] }
  /** Files that are not tracked, where another commit brings some of the same names. No pathspec: all. */
  | { kind: 'overwritten'; by: string; pathspecs: readonly string[] }
  /** Files that are not tracked, as `git clean` with these options finds them. */
  | { kind: 'untracked'; options: readonly string[]; pathspecs: readonly string[] }
  /** `entry`: one of them. */
  | { kind: 'stashes'; entry: number | undefined }
  /**
   * Commits that are on none but these branches, which go or are moved to `kept`. No branch: the one that is checked out. A
   * branch is a full name, such as `refs/heads/main`.
   */
  | { kind: 'commits'; branches: readonly string[]; kept: readonly string[] }
  /** Commits that only the reflog knows. */
  | { kind: 'reflog' }
  /** All that is in a worktree and in no commit, and commits on no branch. */
  | { kind: 'worktree'; path: string }

export interface Discard {
  /** Where git runs: an absolute path; undefined: not known, or it is another repository than that of the directory. */
  directory: string | undefined
  /** Undefined: a look would not tell, or the words are not known. */
  atRisk: readonly AtRisk[] | undefined
  /** Whether it changes nothing where there is nothing to lose: a later command finds what was there before. */
  isInert: boolean
}

/** What a tool needs to know of a reason `git-discard`. */
export interface DiscardNote {
  /** Several where a variable has several values. */
  discards: readonly Discard[]
  /** Whether nothing else in the text may change what is there before git runs. */
  isAlone: boolean
  /** The reasons that there would be without the rule. */
  ordinary: readonly Reason[]
  /** Whether the command asks for yet another reason, which is told. */
  asksAnyway: boolean
}

const notes = new WeakMap<Reason, DiscardNote>()

export function noteDiscard(reason: Reason, note: DiscardNote): void {
  notes.set(reason, note)
}

export const discardOf = (reason: Reason): DiscardNote | undefined => notes.get(reason)

/** Whether there is something to look at. */
export const hasDiscards = ({ reasons }: Judgement): boolean => reasons.some((reason) => notes.has(reason))
