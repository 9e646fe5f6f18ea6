// Functions and aliases of a session that a command may call. They run in place of the program that a person or a rule has
// in mind, and nobody need have been asked about a function that only reads, such as one that enters another directory.

import { type ByteString, decodeText, type ShellState } from '../../commands/session/state.js'
import type { Judgement, Reason } from '../../guard/verdicts/judgement.js'
import { show } from '../../guard/verdicts/show.js'
import { wordsOf } from './named-words.js'

/**
 * Why a command may run something else than it says.
 *
 * @param judgement of the command
 * @param shell what the command begins with
 */
export function definedNames(
  command: string,
  { reasons }: Judgement,
  { functions, aliases }: ShellState,
): Reason[] {
  if (functions.size + aliases.size === 0) return []
  const isNamed = wordsOf(command)
  const programs = new Set(reasons.map(({ program }) => program))
  const named: Reason[] = []
  const others: string[] = []
  const add = (bytes: ByteString, what: string, definition: ByteString) => {
    const name = decodeText(bytes)
    if (!isNamed(name) && !programs.has(name)) return void others.push(name)
    const text = decodeText(definition).replace(/\s+/g, ' ').trim()
    const shown = text === '' ? '' : `: ${show(text, shownCharacters)}`
    named.push(reasonOf(command, name, `${show(name)} is ${what} of this session${shown}`))
  }
  for (const [name, { text }] of functions) add(name, 'a function', text)
  for (const [name, statement] of aliases) add(name, 'an alias', statement.replace(/^builtin /, ''))
  if (others.length > 0 && callsUnnamed.test(command)) {
    const list = others
      .slice(0, shownNames)
      .map((name) => show(name))
      .join(', ')
    const more = others.length > shownNames ? ` and ${others.length - shownNames} more` : ''
    named.push(reasonOf(command, '', `may call functions or aliases of this session: ${list}${more}`))
  }
  return named
}

const shownNames = 10
/** Of a definition. */
const shownCharacters = 200

/** A name may be written in another way, come from a variable or a file, or be in a text that is evaluated. */
const callsUnnamed =
  /\$'|\b(?:eval|source|trap)\b|(?:^|[;&|({!`]|\b(?:then|do|else|elif|if|while|until|time|command|builtin)\s)\s*(?:\w+=\S*\s+)*["'\\]*(?:\.(?=["'\s])|[$`])/m

function reasonOf(command: string, program: string, message: string): Reason {
  const match = { start: 0, end: command.length, text: command }
  return { rule: 'defined-in-session', match, program, effect: 'unknown', message }
}
