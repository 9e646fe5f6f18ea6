// The sub-commands of git that discard branches, stashes and worktrees, and what nothing refers to any more.

import { names } from '../read-only/form.js'
import { commits, type Danger, type DiscardForm, literal, movesBranch } from './discard-form.js'
import { textsOf } from './git-words.js'

const branch: DiscardForm = {
  options: { short: 'u', long: names('set-upstream-to sort points-at format') },
  read(git) {
    const isForced = git.has('f', 'force')
    if (git.hasExactly('D') || (isForced && git.has('d', 'delete'))) {
      return {
        does: 'deletes a branch with commits that may be on no other; only the reflog knows them for a while',
        atRisk: git.hasExactly('r', 'remotes') ? undefined : commits(git.named),
      }
    }
    const renames = git.hasExactly('M', 'C') || (isForced && git.has('m', 'move', 'c', 'copy'))
    const [first, second] = git.operands
    if (first === undefined || (!renames && !isForced)) return undefined
    // `-M [OLD] NEW` overwrites NEW; `-f NAME [START]` moves NAME.
    const [name, start = literal('HEAD')] =
      renames && second !== undefined ? [second, first] : [first, second]
    return { does: movesBranch, atRisk: commits([name], [start]) }
  },
}

const stash: DiscardForm = {
  options: { short: 'm', long: ['message', 'pathspec-from-file'] },
  read({ operands: [verb, which] }) {
    if (verb?.text === 'clear') {
      return {
        does: 'deletes all stashes, and nothing brings them back',
        atRisk: [{ kind: 'stashes', entry: undefined }],
        isInert: true,
      }
    }
    if (verb?.text !== 'drop') return undefined
    const [, inBraces, bare = inBraces] = /^(?:stash@\{(\d+)\}|(\d+))$/.exec(which?.text ?? '0') ?? []
    return {
      does: 'deletes a stash, and nothing brings it back',
      atRisk: bare === undefined ? undefined : [{ kind: 'stashes', entry: Number(bare) }],
      isInert: true,
    }
  },
}

const reflog: DiscardForm = {
  read(git) {
    const [verb] = git.operands
    if (verb?.text !== 'expire' && verb?.text !== 'delete') return undefined
    if (git.hasExactly('n', 'dry-run')) return null
    return {
      does: 'deletes entries of the reflog, by which commits are found that are on no branch',
      // The stashes are entries of a reflog, too.
      atRisk: [{ kind: 'reflog' }, { kind: 'stashes', entry: undefined }],
    }
  },
}

const worktree: DiscardForm = {
  options: { short: 'bB', long: ['orphan', 'reason'] },
  read(git) {
    const [verb, ...paths] = git.named
    if (verb?.text !== 'remove' || !git.has('f', 'force')) return undefined
    const [path, another] = textsOf(paths) ?? []
    return {
      does: 'deletes a worktree with the changes in it that are not committed, and nothing brings them back',
      atRisk: path === undefined || another !== undefined ? undefined : [{ kind: 'worktree', path }],
    }
  },
}

const unreachable: Danger = {
  does: 'deletes what nothing refers to any more, such as commits that somebody may still look for',
  atRisk: undefined,
}

const prune: DiscardForm = {
  options: { long: ['expire'] },
  read: (git) => (git.hasExactly('n', 'dry-run') ? null : unreachable),
}

const collectGarbage: DiscardForm = {
  read(git) {
    const until = git.value('prune')
    return until === undefined || until === 'never' ? undefined : unreachable
  },
}

const updateRef: DiscardForm = {
  options: { short: 'm' },
  read(git) {
    const [ref, to] = git.operands
    const deletes = git.has('d')
    if (ref === undefined || (!deletes && to === undefined)) return undefined
    const [name, ...kept] = textsOf(deletes || to === undefined ? [ref] : [ref, to]) ?? []
    return {
      does: movesBranch,
      atRisk: name === undefined ? undefined : [{ kind: 'commits', branches: [name], kept }],
    }
  },
}

export const referenceForms: readonly (readonly [string, DiscardForm])[] = [
  ['branch', branch],
  ['gc', collectGarbage],
  ['prune', prune],
  ['reflog', reflog],
  ['stash', stash],
  ['update-ref', updateRef],
  ['worktree', worktree],
]
