// The rules about git: what it would stage blindly, and what it would overwrite for others.

import { readGit, readOptions } from '../option-words.js'
import type { Argument, CheckedCommand, SafetyRule } from '../rule.js'
import { describe } from './describe.js'
import { isWholeTree } from './pathspec.js'

const addOptions = {
  long: ['chmod', 'pathspec-from-file'],
  flags: (
    'all dry-run edit force ignore-errors ignore-missing ignore-removal intent-to-add interactive ' +
    'no-all no-dry-run no-ignore-errors no-ignore-missing no-ignore-removal no-warn-embedded-repo patch ' +
    'pathspec-file-nul refresh renormalize sparse update verbose'
  ).split(' '),
}

const all = new Set(['A', 'all', 'no-ignore-removal'])
/** With these git shows what it would do, asks about each change, or takes only what is tracked already. */
const harmless = new Set(['n', 'dry-run', 'i', 'interactive', 'p', 'patch', 'e', 'edit', 'refresh'])
const trackedOnly = new Set(['u', 'update', 'renormalize'])

function findBlind(command: CheckedCommand): Argument | null {
  const git = readGit(command.program, command.words)
  if (git?.subcommand.text !== 'add' && git?.subcommand.text !== 'stage') return null
  const { options, operands } = readOptions(git.words, addOptions)
  if (options.some(({ name }) => harmless.has(name))) return null
  const option = options.find(({ name }) => all.has(name))
  if (option !== undefined) return option.argument
  return options.some(({ name }) => trackedOnly.has(name)) ? null : (isWholeTree(operands, command) ?? null)
}

/** `git add` of whatever there happens to be. */
export const gitAddBlind: SafetyRule = {
  name: 'git-add-blind',
  refuses: 'git add of everything (-A, --all, ., *)',
  applies: findBlind,
  explain: ({ words }) =>
    `${describe(words)} stages whatever is there, such as secrets, build output and unrelated changes. ` +
    'Instead, see what has changed with `git status --short`, and name the files: `git add path/to/file`.',
}

const pushOptions = {
  short: 'o',
  long: ['repo', 'receive-pack', 'exec', 'push-option', 'recurse-submodules'],
  flags: (
    'all atomic branches delete dry-run follow-tags force force-if-includes force-with-lease ipv4 ipv6 ' +
    'mirror no-force no-force-if-includes no-force-with-lease no-mirror no-verify porcelain progress ' +
    'prune quiet set-upstream signed tags thin verbose verify'
  ).split(' '),
}

/** As far as git would take them for `--force` before it knew `--force-with-lease`. */
const forceAbbreviations = new Set(['fo', 'for', 'forc'])

function findForce(command: CheckedCommand): Argument | null {
  const git = readGit(command.program, command.words)
  if (git?.subcommand.text !== 'push') return null
  const { options, operands } = readOptions(git.words, pushOptions)
  let force: Argument | undefined
  let mirror: Argument | undefined
  for (const { name, argument } of options) {
    if (name === 'n' || name === 'dry-run') return null
    if (name === 'f' || name === 'force' || forceAbbreviations.has(name)) force = argument
    else if (name === 'no-force') force = undefined
    else if (name === 'mirror') mirror = argument
    else if (name === 'no-mirror') mirror = undefined
  }
  return mirror ?? force ?? operands.find(({ text }) => text.startsWith('+')) ?? null
}

/** `git push` that overwrites, or deletes, what others have pushed. */
export const gitPushForce: SafetyRule = {
  name: 'git-push-force',
  refuses: 'git push --force or --mirror (--force-with-lease is fine)',
  applies: findForce,
  explain: ({ words }, { text }) =>
    text.startsWith('--m')
      ? `${describe(words)} overwrites all branches and tags of the remote, and deletes those that are not here. ` +
        'Instead, push what you mean: `git push origin BRANCH`, or `git push --all` and `git push --tags`.'
      : `${describe(words)} overwrites the remote branch, with commits of others that are on it. Instead, push with ` +
        `\`--force-with-lease\`, which stops when somebody else has pushed${text.startsWith('+') ? ', and without the `+`' : ''}.`,
}
