// `git add` of whatever there happens to be.

import { readGit, readOptions } from '../option-words.js'
import type { Argument, CheckedCommand, SafetyRule } from '../rule.js'
import { describe } from './describe.js'
import { isWholeTree } from './pathspec.js'

const table = {
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
  const { options, operands } = readOptions(git.words, table)
  if (options.some(({ name }) => harmless.has(name))) return null
  const option = options.find(({ name }) => all.has(name))
  if (option !== undefined) return option.argument
  return options.some(({ name }) => trackedOnly.has(name)) ? null : (isWholeTree(operands, command) ?? null)
}

export const gitAddBlind: SafetyRule = {
  name: 'git-add-blind',
  refuses: 'git add of everything (-A, --all, ., *)',
  applies: findBlind,
  explain: ({ words }) =>
    `${describe(words)} stages whatever is there, such as secrets, build output and unrelated changes. ` +
    'Instead, see what has changed with `git status --short`, and name the files: `git add path/to/file`.',
}
