// Reading what a call's shell has written about itself. Any process of the command could write there, so a record
// is believed as a whole or not at all.
//
// The format, lines of text:
//   bashward-session-1 NONCE        the nonce shows that it is this call's
//   SHELLOPTS BASHOPTS              of the fresh shell, then what `declare -F` and `declare -p` printed in it
//   NONCE lost                      instead of all that follows: the working directory could not be entered
//   NONCE state                     a saved state; a later one replaces it
//   SHELLOPTS BASHOPTS
//   NONCE functions                 names, and what `declare -F` printed
//   NONCE function                  for each of them: what `declare -f` printed
//   NONCE directory                 the logical path
//   NONCE physical                  the path, where the logical one is not valid any more; empty when it is gone
//   NONCE readonly, NONCE names     after an exit inside a function: `declare -pr`, and the names of all variables
//   NONCE definitions               what `alias -p` and `declare -p` printed
//   NONCE end

import type { ByteString } from './bytes.js'
import { type Declaration, type Definitions, readDefinitions } from './declarations.js'
import { RecordFault } from './fault.js'
import {
  aliasStatement,
  functionStatement,
  isOwnFunction,
  isOwnVariable,
  variableStatement,
} from './restore.js'
import { recordHeader } from './shell-code.js'
import type { OptionChanges, ShellState } from './state.js'

export type SessionRecord =
  /** Nothing at all: the shell has not sourced the prologue. */
  | { kind: 'unread' }
  /** The shell ended without saving: by `exec`, or with an EXIT trap set past the session. */
  | { kind: 'none' }
  /** The working directory could not be entered, and the command has not run. */
  | { kind: 'lost' }
  | { kind: 'saved'; state: ShellState; directory: ByteString | undefined }

interface Section {
  name: string
  body: ByteString
}

/** The sections of one saved state, in their order. */
const savedSections =
  /^state functions (?:function )*directory (?:physical )?(?:readonly names )?definitions end $/

/**
 * @param before the state that the call began with: read-only variables are not carried over, so what has become
 *   read-only stays as it was
 * @throws {RecordFault} when it is not what this call's shell writes
 */
export function readRecord(record: ByteString, nonce: string, before: ShellState): SessionRecord {
  const header = `${recordHeader(nonce)}\n`
  if (record === '') return { kind: 'unread' }
  if (!record.startsWith(header)) throw new RecordFault('it does not begin as the call began it')
  const [fresh = '', ...sections] = split(record.slice(header.length), nonce)
  if (sections.length === 0) return { kind: 'none' }
  if (sections.length === 1 && sections[0]?.name === 'lost') return { kind: 'lost' }
  const saved = lastSaved(sections)
  const state = readState(fresh, saved, before)
  return { kind: 'saved', state, directory: readDirectory(saved) }
}

function split(text: ByteString, nonce: string): [ByteString, ...Section[]] {
  const parts = `\n${text}`.split(`\n${nonce} `)
  const [fresh = '', ...rest] = parts.map((part, index) => (index === parts.length - 1 ? part : `${part}\n`))
  const sections = rest.map((part) => {
    const end = part.indexOf('\n')
    if (end < 0) throw new RecordFault('it is cut off')
    return { name: part.slice(0, end), body: part.slice(end + 1) }
  })
  return [fresh.slice(1), ...sections]
}

function lastSaved(sections: Section[]): Section[] {
  const starts = sections.flatMap(({ name }, index) => (name === 'state' ? [index] : []))
  const groups = starts.map((start, index) => sections.slice(start, starts[index + 1]))
  const complete = groups.filter(
    (group) => savedSections.test(group.map(({ name }) => `${name} `).join('')) && group.at(-1)?.body === '',
  )
  const last = complete.at(-1)
  if (starts[0] !== 0 || last === undefined) throw new RecordFault('it is incomplete')
  return last
}

function bodyOf(sections: Section[], name: string): ByteString | undefined {
  return sections.find((section) => section.name === name)?.body
}

function readDirectory(sections: Section[]): ByteString | undefined {
  const [physical, logical] = ['physical', 'directory'].map((name) =>
    bodyOf(sections, name)?.replace(/\n$/, ''),
  )
  // A directory that is gone has only its name left.
  return [physical, logical].find((path) => path?.startsWith('/'))
}

function readState(freshText: ByteString, sections: Section[], before: ShellState): ShellState {
  const optionsEnd = freshText.indexOf('\n') + 1
  const freshLines = freshText.slice(optionsEnd).split('\n')
  const finalLines = (bodyOf(sections, 'definitions') ?? '').split('\n')
  const fresh = readDefinitions(linesMissingIn(finalLines, freshLines))
  const final = readDefinitions(linesMissingIn(freshLines, finalLines))
  const [freshSet, freshShopt] = readOptions(freshText.slice(0, optionsEnd))
  const [set, shopt] = readOptions(bodyOf(sections, 'state') ?? '')
  return {
    ...readVariables(fresh, final, bodyOf(sections, 'readonly'), before),
    ...readFunctions(fresh, sections),
    aliases: new Map([...final.aliases].map(([name, value]) => [name, aliasStatement(name, value)])),
    set: changes(freshSet, set, [...neverCarriedSet, ...(shopt.includes('extdebug') ? extdebugSet : [])]),
    shopt: changes(freshShopt, shopt, neverCarriedShopt),
  }
}

/**
 * Most lines are the same in both, and cost a look into a set instead of being read. A line is a whole declaration:
 * bash prints a line break in a value as `\n`; before 5.0 it does not, but then it has put backslashes before quotes,
 * so that no line of a value is the same as a declaration of a value.
 */
function linesMissingIn(others: ByteString[], lines: ByteString[]): ByteString {
  const known = new Set(others)
  return lines.map((line) => (known.has(line) ? '' : `${line}\n`)).join('')
}

function readVariables(
  fresh: Definitions,
  final: Definitions,
  readonlyText: ByteString | undefined,
  before: ShellState,
): Pick<ShellState, 'variables' | 'unsetVariables'> {
  const frozen = readonlyText === undefined ? undefined : readDefinitions(readonlyText).variables
  const isReadonly = ({ name, flags }: Declaration) =>
    frozen === undefined ? flags.includes('r') : frozen.has(name)
  const variables = new Map<ByteString, ByteString>()
  const references = new Map<ByteString, ByteString>()
  const unsetVariables = new Set<ByteString>()
  for (const [name, declaration] of final.variables) {
    if (isOwnVariable(name) || isSame(declaration, fresh.variables.get(name))) continue
    const statement = isReadonly(declaration) ? before.variables.get(name) : variableStatement(declaration)
    if (statement === undefined) {
      if (before.unsetVariables.has(name)) unsetVariables.add(name)
    } else if (statement !== '')
      (declaration.flags.includes('n') ? references : variables).set(name, statement)
    else if (fresh.variables.has(name)) unsetVariables.add(name)
  }
  for (const name of fresh.variables.keys()) {
    if (!isOwnVariable(name) && !final.variables.has(name)) unsetVariables.add(name)
  }
  // A reference comes last: what is declared after it under its name would go to its target.
  return { variables: new Map([...variables, ...references]), unsetVariables }
}

function isSame(a: Declaration, b: Declaration | undefined): boolean {
  if (b === undefined || a.word !== b.word) return false
  const flags = (declaration: Declaration) => declaration.flags.replace(/[-r]/g, '')
  return a.flags === b.flags || flags(a) === flags(b)
}

function readFunctions(
  fresh: Definitions,
  sections: Section[],
): Pick<ShellState, 'functions' | 'unsetFunctions'> {
  const flagsByName = readFunctionList(bodyOf(sections, 'functions') ?? '')
  const functions = new Map<ByteString, ByteString>()
  for (const { name: section, body } of sections) {
    if (section !== 'function') continue
    const name = /^(?:function )?(\S+) \(\) ?\n/.exec(body)?.[1] ?? ''
    const flags = flagsByName.get(name)
    if (flags === undefined) throw new RecordFault('a function is not listed')
    if (!isOwnFunction(name)) functions.set(name, functionStatement(name, body, flags))
  }
  const unsetFunctions = new Set([...fresh.functions.keys()].filter((name) => !flagsByName.has(name)))
  return { functions, unsetFunctions }
}

/** Each name, as `compgen` lists it, and then each of them with its flags. */
function readFunctionList(text: ByteString): Map<ByteString, string> {
  const start = text.indexOf('declare -f')
  if (start < 0 && text !== '') throw new RecordFault('the functions are not listed')
  const { functions } = readDefinitions(text.slice(start))
  const names = text.slice(0, start).split('\n').slice(0, -1)
  if (names.length !== functions.size || !names.every((name) => functions.has(name))) {
    throw new RecordFault('the two lists of functions differ')
  }
  return functions
}

/** They end or mute a command that the next call knows nothing about; `privileged` belongs to the process. */
const neverCarriedSet = ['errexit', 'nounset', 'verbose', 'xtrace', 'noexec', 'onecmd', 'privileged']
/** The first starts a debugger when it is on as a shell starts, and brings two with it; the others cannot be changed. */
const neverCarriedShopt = ['extdebug', 'login_shell', 'restricted_shell']
const extdebugSet = ['functrace', 'errtrace']

function readOptions(text: ByteString): [set: string[], shopt: string[]] {
  const match = /^([a-z0-9:_-]*) ([a-z0-9:_-]*)\n$/.exec(text)
  if (match === null) throw new RecordFault('the options are not as bash lists them')
  const [set = [], shopt = []] = match.slice(1).map((list) => list.split(':').filter((name) => name !== ''))
  return [set, shopt]
}

function changes(fresh: string[], final: string[], never: string[]): OptionChanges {
  const missing = (from: string[], names: string[]) =>
    names.filter((name) => !from.includes(name) && !never.includes(name))
  return { on: missing(fresh, final), off: missing(final, fresh) }
}
