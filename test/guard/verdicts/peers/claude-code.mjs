// Commands that are made of nothing but the programs that Claude Code's documentation names as read-only, in our words: from
// code.claude.com/docs/en/permissions, "Read-only commands" and "Wrappers", as of September 2026. It says that there are more.
// Which options of them only read it does not say, and its code is not public: that is left to `judge`.

import { everyNode, syntaxOf } from './syntax.mjs'

const programs = new Set(
  'ls cat echo pwd head tail grep find wc which diff stat du cd git sort sed file'.split(' '),
)
const wrappers = new Set('timeout time nice nohup stdbuf command builtin xargs'.split(' '))
/** Commands that have no program, or a builtin that is not named. */
const otherCommands = new Set('declaration_command unset_command test_command'.split(' '))

const maxCharacters = 10_000

/** @param {readonly string[]} words */
const isDocumented = (words) => {
  const [first, ...rest] = words
  if (programs.has(first)) return true
  return wrappers.has(first) && rest.some((word) => programs.has(word))
}

/**
 * @param {(command: string) => { decision: string } | Promise<{ decision: string }>} judge
 * @returns {(command: string) => Promise<boolean>}
 */
export const claudeCodeWith = (judge) => async (command) => {
  const syntax = command.length > maxCharacters ? null : syntaxOf(command)
  if (syntax === null) return false
  const nodes = everyNode(syntax).filter(({ isNamed }) => isNamed)
  if (nodes.some(({ kind }) => otherCommands.has(kind))) return false
  const commands = nodes.filter(({ kind }) => kind === 'command')
  const wordsOf = ({ children }) => children.filter(({ isNamed }) => isNamed).map(({ text }) => text)
  if (commands.length === 0 || !commands.every((each) => isDocumented(wordsOf(each)))) return false
  return (await judge(command)).decision === 'allow'
}
