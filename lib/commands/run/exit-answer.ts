// Whether exit status 1 is an answer, such as that of a `grep` that has found nothing. Only where the text proves that it
// is the status of that program, and that the program ran: where anything is in doubt it is none. Loaded for a command
// that has failed with it.

import { readScript } from '../../guard/safety/script/read-script.js'
import {
  type Command,
  type Item,
  outerItems,
  type Redirect,
  type Script,
  type Word,
} from '../../guard/safety/script/script.js'
import { runSync } from '../../guard/safety/script/steps.js'
import { type Answered, answerOf } from './answering-programs.js'

/** Characters; a longer command is not read for this. */
const maxLength = 16 * 1024

/** Names that may end a script, or change what its text means. */
const unsettling = new Set(
  '. alias break builtin command continue coproc enable eval exec exit hash logout return set shopt source trap unalias'.split(
    ' ',
  ),
)

/** bash itself has failed, with the same status: `bash: line 1: x: No such file or directory`, in any language. */
const shellError = /^[^\s:]+: \S+ \d+\s?:/m
/** What may end bash with it. Where errors may have gone elsewhere that does not show. */
const expandsFatally = /\$\{\w+[^\w}]|\$\{\W|\(\(|\$\[/
/** Of what stands before the command, all that is no plain command: `UID=1` and `a[08]=1` end bash, too. */
const mayBeFatal =
  /[$`={}()[\]]|\b(?:case|declare|do|export|for|function|if|let|local|read|readonly|select|typeset|until|while)\b/
const hidesErrors = /\d>(?!&1\b)|&>|>&(?!2\b)/
/** Where programs are found, and what is run in the place of one that is not. */
const findsOthers = /\bPATH\b|\bPOSIXLY_CORRECT\b|\bcommand_not_found_handle\b/

/**
 * @param output what the command has printed
 * @param defined names that are functions or aliases in its shell
 */
export function exitAnswer(
  command: string,
  output: string,
  defined: ReadonlySet<string>,
): Answered | undefined {
  if (command.length > maxLength || shellError.test(output) || findsOthers.test(command)) return undefined
  if (defined.has('command_not_found_handle')) return undefined
  const script = runSync(readScript(command))
  const items = outerItems(script.items)
  const last = items.at(-1)
  if (script.unread !== null || last?.kind !== 'command' || !isEnd(command.slice(last.end))) return undefined
  const words = last.words.map(textOf)
  const answered = answerOf(words)
  if (answered === undefined || !last.redirects.every(cannotFail)) return undefined
  const names = new Set([...defined, ...script.functions])
  if (!script.items.every((item) => item === last || isSettled(item, names)) || names.has(words[0] ?? '')) {
    return undefined
  }
  const before = command.slice(0, last.start)
  if (hidesErrors.test(command) && expandsFatally.test(command)) return undefined
  if (hidesErrors.test(before) && mayBeFatal.test(before)) return undefined
  return isOwnStatus(script, items, command) ? answered : undefined
}

const isEnd = (text: string): boolean => /^\s*;?\s*(?:#.*)?\s*$/.test(text)

/** Whether the status of the last command is that of the script. */
function isOwnStatus(script: Script, items: readonly Item[], command: string): boolean {
  const gaps = items.map((item, at) => withoutComments(command.slice(items[at - 1]?.end ?? 0, item.start)))
  if (gaps.some((gap) => gap.includes('!'))) return false
  const first = items.indexOf(pipelineStart(script, items.at(-1) as Command))
  const gap = gaps[first]
  if (gap === undefined) return false
  // The stages between are in the same pipeline.
  return first === 0 ? gap.trim() === '' : isSequence(gap)
}

/** The first command of its pipeline. */
function pipelineStart({ items }: Script, command: Command): Item {
  let first: Item = command
  while (first.kind === 'command' && first.input?.kind === 'pipe') {
    const before: Item | undefined = items[first.input.items.from]
    if (before === undefined || before.start >= first.start) break
    first = before
  }
  return first
}

const withoutComments = (text: string): string => text.replace(/(^|[\s;])#.*/g, '$1')

/** `;` or a newline, with no operator that goes on in the next line. */
function isSequence(gap: string): boolean {
  const operator = gap.trimEnd()
  return operator.endsWith(';') || (gap.slice(operator.length).includes('\n') && !/[&|\\]$/.test(operator))
}

/** Whether it neither ends the script nor changes what follows, whatever it does. */
function isSettled(item: Item, names: ReadonlySet<string>): boolean {
  if (item.kind === 'for' || item.words.length === 0) return true
  const [name = '', ...others] = item.words.slice(0, 3).map(textOf)
  // No brace expansion, no pattern: nothing but the name itself.
  const isPlain = /^[\w./+-]+$|^\[{1,2}$/.test(name)
  return isPlain && ![name, ...others].some((word) => unsettling.has(word)) && !names.has(name)
}

/** bash fails with the same status where it cannot open a file. */
function cannotFail({ operator, target }: Redirect): boolean {
  const path = textOf(target)
  return operator === '>&' ? /^[12]$/.test(path) : /^(?:>|>>|&>|&>>)$/.test(operator) && path === '/dev/null'
}

/** NUL stands for what only running it tells. */
function textOf({ parts }: Word): string {
  return parts.map((part) => (part.kind === 'literal' ? part.text : '\0')).join('')
}
