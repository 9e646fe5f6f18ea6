// From what bash has printed of itself, when it was fresh and when it ended, to the differences.

import { type Declaration, type Definitions, readDefinitions, readElements, unquote } from './printed.js'
import { RecordFault, type Steps } from './reading.js'
import { aliasStatement, isOwnAlias, isOwnFunction, isOwnVariable, variableStatement } from './restore.js'
import { argumentsVariable, markFunction } from './shell-code.js'
import type { ByteString, OptionChanges, ShellFunction, ShellState } from './state.js'

/** The sections of one saved state by their names. */
export type SavedSections = ReadonlyMap<string, ByteString>

export interface SavedText {
  /** What the record holds of the fresh shell. */
  fresh: ByteString
  saved: SavedSections
  nonce: string
  /** The state that the call began with. */
  before: ShellState
}

/** @throws {RecordFault} when it is not what bash prints */
export function* readState(text: SavedText): Steps<{ state: ShellState; dropped: ByteString[] }> {
  const { saved, before } = text
  const [freshOptions, freshMask, freshText] = firstLines(text.fresh)
  const fresh = yield* readDefinitions(freshText)
  const final = yield* readDefinitions(saved.get('definitions') ?? '')
  const readonlyText = saved.get('readonly')
  const hidden = readonlyText === undefined ? undefined : (yield* readDefinitions(readonlyText)).variables
  const listed = yield* readFunctions(text)
  const [freshSet, freshShopt] = readOptions(freshOptions)
  const [set, shopt] = readOptions(saved.get('state') ?? '')
  const aliases = yield* restoredAliases(final)
  const state: ShellState = {
    ...(yield* readVariables(fresh, final, hidden, before)),
    functions: listed.functions,
    unsetFunctions: new Set([...fresh.functions.keys()].filter((name) => !listed.names.has(name))),
    aliases,
    // `local -` has made them those of a function, and what they were outside it cannot be read.
    set: final.variables.has('-')
      ? before.set
      : changes(freshSet, set, [...neverCarriedSet, ...(shopt.includes('extdebug') ? extdebugSet : [])]),
    shopt: changes(freshShopt, shopt, neverCarriedShopt),
    umask: readMask(freshMask, saved.get('umask') ?? ''),
    // In a function they are those of the function.
    positional:
      hidden === undefined ? yield* elementsOf(final.variables.get(argumentsVariable)) : before.positional,
    directories: (yield* elementsOf(final.variables.get('DIRSTACK'))).slice(1),
  }
  const dropped = [
    ...listed.dropped.map((name) => `function ${name}`),
    ...[...final.aliases.keys()].filter(isOwnAlias).map((name) => `alias ${name}`),
  ]
  return { state, dropped }
}

function firstLines(text: ByteString): [options: ByteString, mask: ByteString, rest: ByteString] {
  const first = text.indexOf('\n') + 1
  const second = text.indexOf('\n', first) + 1
  return [text.slice(0, first), text.slice(first, second), text.slice(second)]
}

function* readVariables(
  fresh: Definitions,
  final: Definitions,
  hidden: ReadonlyMap<ByteString, Declaration> | undefined,
  before: ShellState,
): Steps<Pick<ShellState, 'variables' | 'unsetVariables'>> {
  const variables = new Map<ByteString, ByteString>()
  const references = new Map<ByteString, ByteString>()
  const unsetVariables = new Set<ByteString>()
  let count = 0
  for (const [name, declaration] of final.variables) {
    count += 1
    if (count % 256 === 0) yield
    if (isOwnVariable(name) || isSame(declaration, fresh.variables.get(name))) continue
    // What the name stands for beyond the function is not known where a local variable cannot be unset, or bash before
    // 5.2 leaves it there without a value.
    const readonlyBefore = hidden?.get(name)
    const isMarked = readonlyBefore?.flags.includes('t') === false && declaration.flags.includes('t')
    const isHidden =
      (readonlyBefore !== undefined && !isMarked) ||
      (hidden !== undefined && declaration.flags === '-' && declaration.word === undefined)
    const statement = isHidden
      ? before.variables.get(name)
      : yield* variableStatement(isMarked ? withoutMark(declaration) : declaration)
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
  for (const [name, statement] of references) variables.set(name, statement)
  return { variables, unsetVariables }
}

function withoutMark(declaration: Declaration): Declaration {
  return { ...declaration, flags: declaration.flags.replace('t', '') }
}

function isSame(a: Declaration, b: Declaration | undefined): boolean {
  if (b === undefined || a.word !== b.word) return false
  const flags = (declaration: Declaration) => declaration.flags.replace(/[-r]/g, '')
  return a.flags === b.flags || flags(a) === flags(b)
}

function* restoredAliases({ aliases }: Definitions): Steps<Map<ByteString, ByteString>> {
  const statements = new Map<ByteString, ByteString>()
  let count = 0
  for (const [name, value] of aliases) {
    count += 1
    if (count % 256 === 0) yield
    if (!isOwnAlias(name)) statements.set(name, aliasStatement(name, value))
  }
  return statements
}

function* elementsOf(declaration: Declaration | undefined): Steps<ByteString[]> {
  const elements: ByteString[] = []
  if (declaration?.word === undefined || !declaration.flags.includes('a')) return elements
  yield* readElements(declaration.word, (_, value) => elements.push(unquote(value)))
  return elements
}

interface ListedFunctions {
  /** All that there are. */
  names: ReadonlySet<ByteString>
  /** Those that are carried over. */
  functions: ReadonlyMap<ByteString, ShellFunction>
  /** Those that `declare -f` does not print, or not as they are. */
  dropped: readonly ByteString[]
}

function* readFunctions({ saved, nonce, before }: SavedText): Steps<ListedFunctions> {
  const { functions: flagsByName } = yield* readDefinitions(saved.get('flags') ?? '')
  const list = linesOf(saved.get('names') ?? '')
  const names = new Set(list)
  if (names.size !== list.length || !all(linesOf(saved.get('functions') ?? ''), flagsByName.keys(), names)) {
    throw new RecordFault('the lists of functions differ')
  }
  const printed = list.filter((name) => !name.includes('='))
  const texts = splitAtMarks(saved.get('texts') ?? '', markFunction(nonce))
  if (texts.length !== printed.length) throw new RecordFault('a function is not listed')
  const functions = new Map<ByteString, ShellFunction>()
  const dropped = list.filter((name) => name.includes('='))
  for (const [index, name] of printed.entries()) {
    if (index % 256 === 255) yield
    if (isOwnFunction(name)) continue
    if (texts[index] === '') {
      dropped.push(name)
      continue
    }
    const flags = flagsByName.get(name) ?? 'f'
    const text = withoutAttributes(texts[index] ?? '', name, flags)
    if (/^(?:function )?(\S+) \(\) ?\n/.exec(text)?.[1] !== name)
      throw new RecordFault('a function is not listed')
    const isProven = before.functions.get(name)?.text === text
    if (namelessCoprocess.test(text)) dropped.push(name)
    else functions.set(name, { text, flags, isProven })
  }
  return { names, functions, dropped }
}

/** `coproc cat` is printed as `coproc COPROC cat`, which would run COPROC. */
const namelessCoprocess = /\bcoproc COPROC (?![{(]|\[\[|(?:case|for|if|select|until|while) )/

function linesOf(text: ByteString): ByteString[] {
  return text.split('\n').slice(0, -1)
}

function all(some: ByteString[], others: Iterable<ByteString>, known: ReadonlySet<ByteString>): boolean {
  return [...some, ...others].every((name) => known.has(name))
}

/** What stands between the marks; the text begins with the first one. */
function splitAtMarks(text: ByteString, name: string): ByteString[] {
  if (text === '') return []
  const mark = text.slice(0, text.indexOf('\n}\n') + 3)
  if (!mark.startsWith(`${name} () `)) throw new RecordFault('the functions are not marked')
  return text.split(mark).slice(1)
}

/** `declare -f` prints attributes as a command: it would run functions of the user that are named `declare`. */
function withoutAttributes(text: ByteString, name: ByteString, flags: string): ByteString {
  const last = `declare -${flags} ${name}\n`
  return flags !== 'f' && text.endsWith(`\n${last}`) ? text.slice(0, -last.length) : text
}

function readMask(fresh: ByteString, final: ByteString): string | undefined {
  if (!/^[0-7]{1,4}\n$/.test(final)) throw new RecordFault('the umask is not a number')
  return fresh === final ? undefined : final.trimEnd()
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
