// What codex takes for a command that is known to be safe, in our words. From github.com/openai/codex,
// codex-rs/shell-command/src/command_safety/is_safe_command.rs and bash.rs: at 226bd15, and at 55dfa3c, which still had git.

import { everyNode, syntaxOf } from './syntax.mjs'

const nodesOfPlainScripts = new Set([
  ...['program', 'list', 'pipeline', 'command', 'command_name', 'word', 'string', 'string_content'],
  ...['raw_string', 'number', 'concatenation'],
])
const tokensOfPlainScripts = new Set(['&&', '||', ';', '|', '"', "'"])

const isPlain = ({ kind, isNamed }) =>
  isNamed ? nodesOfPlainScripts.has(kind) : tokensOfPlainScripts.has(kind) || kind.trim() === ''

/** Of a word, or null. Backslashes stay, and a pattern is a text like any other. */
const textOf = ({ kind, text, children }) => {
  if (kind === 'word' || kind === 'number') return text
  if (kind === 'raw_string') return text.slice(1, -1)
  if (kind === 'string') {
    return children.every((child) => !child.isNamed || child.kind === 'string_content')
      ? text.slice(1, -1)
      : null
  }
  if (kind !== 'concatenation') return null
  const texts = children.filter(({ isNamed }) => isNamed).map(textOf)
  return texts.includes(null) || texts.join('') === '' ? null : texts.join('')
}

const wordsOf = ({ children }) =>
  children
    .filter(({ isNamed }) => isNamed)
    .map((child) => {
      if (child.kind !== 'command_name') return textOf(child)
      const [name] = child.children.filter(({ isNamed }) => isNamed)
      return name?.kind === 'word' ? name.text : null
    })

/** The words of each command of a script that is nothing but such commands, or null. */
const plainCommandsOf = (command) => {
  const syntax = syntaxOf(command)
  if (syntax === null) return null
  const nodes = everyNode(syntax)
  if (!nodes.every(isPlain)) return null
  const commands = nodes.filter(({ kind, isNamed }) => isNamed && kind === 'command').map(wordsOf)
  return commands.some((words) => words.includes(null)) ? null : commands
}

const always = new Set(
  `cat cd cut echo expr false grep head id ls nl paste pwd rev seq stat tail tr true uname uniq wc which whoami numfmt
  tac`.split(/\s+/),
)
const dangerousInFind = new Set('-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf'.split(' '))
const isOption = (word, names) => names.some((name) => word === name || word.startsWith(`${name}=`))

const checks = {
  base64: (words) => !words.some((word) => word.startsWith('-o') || isOption(word, ['--output'])),
  find: (words) => !words.some((word) => dangerousInFind.has(word)),
  rg: (words) =>
    !words.some(
      (word) => word === '-z' || word === '--search-zip' || isOption(word, ['--pre', '--hostname-bin']),
    ),
  sed: (words) => words.length <= 3 && words[0] === '-n' && /^(?:\d+,)?\d+p$/.test(words[1] ?? ''),
}

const gitOptionsWithValue = new Set(
  '-C -c --config-env --exec-path --git-dir --namespace --super-prefix --work-tree'.split(' '),
)
const listingBranches = new Set('--list -l --show-current -a --all -r --remotes -v -vv --verbose'.split(' '))

const checkGit = (words) => {
  if (words.some((word) => word.startsWith('-c') || isOption(word, ['--config-env']))) return false
  let at = 0
  while (words[at]?.startsWith('-')) at += gitOptionsWithValue.has(words[at]) ? 2 : 1
  const [command, ...rest] = words.slice(at)
  if (!['status', 'log', 'diff', 'show', 'branch'].includes(command)) return false
  const isWriting = (word) =>
    isOption(word, ['--output', '--exec']) || ['--ext-diff', '--textconv', '--paginate'].includes(word)
  if (rest.some(isWriting)) return false
  return (
    command !== 'branch' || rest.every((word) => listingBranches.has(word) || word.startsWith('--format='))
  )
}

/**
 * @param {string} command
 * @param {{ git: boolean }} version
 */
const isAllowed = (command, { git }) => {
  const commands = plainCommandsOf(command)
  if (commands === null || commands.length === 0) return false
  return commands.every(([program, ...words]) => {
    // By its last part: `./ls` is taken for `ls`.
    const name = program.slice(program.lastIndexOf('/') + 1)
    if (always.has(name)) return true
    if (name === 'git') return git && checkGit(words)
    return checks[name]?.(words) ?? false
  })
}

export const codex = (command) => isAllowed(command, { git: false })
export const codexWithGit = (command) => isAllowed(command, { git: true })
