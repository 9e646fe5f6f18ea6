// The commands that git runs: aliases, and commands in its arguments.

import { quote } from '../../../base/util/bash-quotes.js'
import { elementCost } from '../budget.js'
import { type Field, literalField } from '../expansion/field.js'
import { type GitCommand, readGit, readOptions } from '../option-words.js'
import { baseName } from '../paths.js'
import { joined, type Payload, scriptOf, type WrapperCall } from './payload.js'

type Git = GitCommand<Field>

/** Subcommands that are given commands. */
const runners: ReadonlyMap<string, (git: Git) => readonly Payload[]> = new Map([
  ['bisect', ({ words }) => (words[0]?.text === 'run' ? [{ kind: 'command', words: words.slice(1) }] : [])],
  [
    'filter-branch',
    ({ words }) =>
      texts(words, {
        long: 'setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter'.split(' '),
      }),
  ],
  ['rebase', ({ words }) => texts(words, { short: 'x', long: ['exec'] })],
  [
    'submodule',
    ({ words }) => {
      const foreach = words.findIndex(({ text }) => text === 'foreach')
      if (foreach === -1) return []
      const { operands } = readOptions(words.slice(foreach + 1), { stopsAtOperand: true })
      const [only] = operands
      return operands.length === 1 && only !== undefined
        ? [scriptOf(only)]
        : [{ kind: 'command', words: operands }]
    },
  ],
])

/** The values of options that hold text for a shell. */
function texts(
  words: readonly Field[],
  table: { short?: string; long: readonly string[] },
): readonly Payload[] {
  return readOptions(words, table).options.flatMap(({ name, value, valueArgument }) => {
    const holdsText = name.length === 1 ? table.short?.includes(name) : table.long.includes(name)
    if (!holdsText || value === undefined) return []
    return [scriptOf({ ...valueArgument, text: value })]
  })
}

export function unwrapGit(call: WrapperCall): readonly Payload[] {
  const git = readGit(baseName(call.words[0].text), call.words)
  if (git === undefined) return []
  const { subcommand } = git
  const alias = givenAlias(git) ?? call.scope.gitAlias(subcommand.text)
  if (alias === undefined) return runners.get(subcommand.text)?.(git) ?? []
  const { budget } = call
  budget.text -= alias.length
  if (budget.text < 0) return []
  const words = alias.split(/\s+/).filter((word) => word !== '')
  budget.text -= words.length * elementCost
  return budget.text < 0 ? [] : expandAlias(alias, words, git)
}

/** `git -c alias.NAME=TEXT NAME` */
function givenAlias({ options, subcommand }: Git): string | undefined {
  const beginning = `alias.${subcommand.text}=`.toLowerCase()
  const option = options.findLast(
    ({ name, value }) => name === 'c' && value?.toLowerCase().startsWith(beginning),
  )
  return option?.value?.slice(beginning.length)
}

function expandAlias(
  alias: string,
  aliasWords: readonly string[],
  { subcommand, words }: Git,
): readonly Payload[] {
  if (!alias.startsWith('!')) {
    const git = literalField('git', subcommand)
    const expanded = aliasWords.map((word) => literalField(word, subcommand))
    return [{ kind: 'command', words: [git, ...expanded, ...words] }]
  }
  const text = { ...subcommand, text: alias.slice(1) }
  return joined([text, ...words.map((word) => ({ ...word, text: quote(word.text) }))])
}
