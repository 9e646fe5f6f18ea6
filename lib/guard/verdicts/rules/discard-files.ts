// The sub-commands of git that discard changes of files, and files.

import { baseName } from '../../safety/paths.js'
import { type Argument, unknownText } from '../../safety/rule.js'
import { names } from '../read-only/form.js'
import type { AtRisk } from './discard.js'
import { commits, type Danger, type DiscardForm, joined, literal, movesBranch } from './discard-form.js'
import { type GitWords, pathspecsOf, textsOf } from './git-words.js'

const all = 'discards the changes of all tracked files that are not committed, and nothing brings them back'
const some = 'discards changes that are not committed, and nothing brings them back'

const allChanges: AtRisk = { kind: 'changes', staged: true, pathspecs: [] }

function changes(words: readonly Argument[], staged: boolean): readonly AtRisk[] | undefined {
  const pathspecs = pathspecsOf(words)
  return pathspecs && [{ kind: 'changes', staged, pathspecs }]
}

/** Files that are not tracked, in the place of those that another commit brings. */
function overwritten(by: Argument, words: readonly Argument[] = []): readonly AtRisk[] | undefined {
  const pathspecs = pathspecsOf(words)
  const [commit] = textsOf([by]) ?? []
  if (commit === undefined || commit.startsWith('-') || pathspecs === undefined) return undefined
  return [{ kind: 'overwritten', by: commit, pathspecs }]
}

const isHead = ({ text }: Argument) => text === 'HEAD' || text === '@'

const reset: DiscardForm = {
  options: { long: ['pathspec-from-file'] },
  read(git) {
    if (!git.has('hard', 'merge')) return undefined
    const [to] = git.operands
    if (to === undefined || isHead(to)) return { does: all, atRisk: [allChanges], isInert: true }
    return { does: all, atRisk: joined([allChanges], overwritten(to), commits([], [to])) }
  },
}

const clean: DiscardForm = {
  options: { short: 'e', long: ['exclude'] },
  read(git) {
    if (git.hasExactly('n', 'dry-run') && !git.hasExactly('no-dry-run')) return null
    // Without -f git refuses, unless its configuration says otherwise.
    const pathspecs = pathspecsOf(git.named)
    const options = [
      ...['d', 'x', 'X'].filter((letter) => git.hasExactly(letter)).map((letter) => `-${letter}`),
      ...(git.count('f', 'force') > 1 ? ['-ff'] : []),
      ...git.values('e', 'exclude').map((pattern) => `--exclude=${pattern}`),
    ]
    const isKnown = pathspecs !== undefined && !options.some((option) => option.includes(unknownText))
    return {
      does: 'deletes files that git does not track, and nothing brings them back',
      atRisk: isKnown ? [{ kind: 'untracked', options, pathspecs }] : undefined,
      isInert: true,
    }
  },
}

const checkout: DiscardForm = {
  options: {
    short: 'bBU',
    long: names('orphan conflict pathspec-from-file unified inter-hunk-context'),
  },
  read(git) {
    const { operands, paths, named } = git
    const isForced = git.has('f', 'force')
    if (git.hasExactly('B')) return resetBranch(git, git.value('B'), isForced)
    const isNew = git.hasExactly('b', 'orphan', 't', 'track', 'd', 'detach')
    if (git.has('p', 'patch', 'pathspec-from-file')) return { does: some, atRisk: undefined }
    const [first] = operands
    if (paths.length > 0) {
      if (first === undefined) return { does: some, atRisk: changes(paths, false), isInert: true }
      return { does: some, atRisk: joined(changes(paths, true), overwritten(first, paths)) }
    }
    if (first !== undefined && operands.length > 1 && !isNew) {
      // The first is a commit, or a path as well: then a look at it fails, which counts as something.
      return { does: some, atRisk: joined(changes(named, true), overwritten(first, operands.slice(1))) }
    }
    if (isForced) return switchAway(first)
    if (first === undefined || isNew || !mayBePath(first)) return undefined
    return { does: some, atRisk: changes([first], false), isInert: true }
  },
}

/** To another branch, or to none, whatever is in the way. */
const switchAway = (to: Argument | undefined): Danger =>
  to === undefined || isHead(to)
    ? { does: all, atRisk: [allChanges], isInert: true }
    : { does: all, atRisk: joined([allChanges], overwritten(to)) }

/** Names that are of files or directories, rather than of branches. */
const ofFiles = new Set(
  names(`
    src lib app apps bin pkg packages cmd internal include test tests spec docs scripts public assets config examples
    Makefile Dockerfile Gemfile Rakefile Jenkinsfile LICENSE README CHANGELOG Cargo.lock go.mod go.sum
  `),
)

/** What is not written as a branch is: nothing but the files themselves tells for certain. */
function mayBePath({ text, pattern }: Argument): boolean {
  if (pattern !== null || /^(?:\.{1,2}$|\.{0,2}\/|:|~)|\/$/.test(text)) return true
  return ofFiles.has(text.replace(/\/.*$/s, '')) || /^[^.]*\.[A-Za-z]|^\./.test(baseName(text))
}

const restore: DiscardForm = {
  options: { short: 'sU', long: names('source conflict pathspec-from-file unified inter-hunk-context') },
  read(git) {
    const staged = git.has('S', 'staged')
    if (staged && !git.has('W', 'worktree')) return undefined
    if (git.has('p', 'patch', 'pathspec-from-file')) return { does: some, atRisk: undefined }
    const { named } = git
    if (named.length === 0) return undefined
    const source = git.value('s', 'source')
    if (source === undefined) return { does: some, atRisk: changes(named, staged), isInert: !staged }
    return { does: some, atRisk: joined(changes(named, staged), overwritten(literal(source), named)) }
  },
}

const switchTo: DiscardForm = {
  options: { short: 'cC', long: names('create force-create orphan conflict') },
  read(git) {
    const isForced = git.has('f', 'force', 'discard-changes')
    if (git.hasExactly('C', 'force-create')) return resetBranch(git, git.value('C', 'force-create'), isForced)
    if (!isForced) return undefined
    return git.hasExactly('c', 'create', 'orphan', 't', 'track')
      ? { does: all, atRisk: undefined }
      : switchAway(git.operands[0])
  },
}

/** `checkout -B NAME [START]`, `switch -C NAME [START]` */
function resetBranch(git: GitWords, name = '', isForced: boolean): Danger {
  const [start = literal('HEAD')] = git.operands
  const lost = commits([literal(name)], [start])
  if (!isForced) return { does: movesBranch, atRisk: lost }
  return { does: all, atRisk: joined([allChanges], isHead(start) ? [] : overwritten(start), lost) }
}

const remove: DiscardForm = {
  options: { long: ['pathspec-from-file'] },
  read(git) {
    if (git.has('cached') || git.hasExactly('n', 'dry-run')) return null
    if (!git.has('f', 'force')) return undefined
    return {
      does: 'deletes files with changes that are not committed, and nothing brings those back',
      atRisk: git.named.length === 0 ? undefined : changes(git.named, true),
    }
  },
}

const submodule: DiscardForm = {
  read(git) {
    const [verb] = git.operands
    if (!git.has('f', 'force') || (verb?.text !== 'deinit' && verb?.text !== 'update')) return undefined
    return { does: 'discards changes in submodules, and nothing brings them back', atRisk: undefined }
  },
}

const forced = (danger: Danger, ...options: readonly string[]): DiscardForm => ({
  read: (git) => (git.has(...options) ? danger : undefined),
})

export const fileForms: readonly (readonly [string, DiscardForm])[] = [
  ['checkout', checkout],
  ['checkout-index', forced({ does: some, atRisk: undefined }, 'f', 'force')],
  ['clean', clean],
  ['read-tree', forced({ does: all, atRisk: undefined }, 'reset')],
  ['reset', reset],
  ['restore', restore],
  ['rm', remove],
  ['submodule', submodule],
  ['switch', switchTo],
]
