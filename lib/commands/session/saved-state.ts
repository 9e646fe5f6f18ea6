// From what bash has printed of itself, when it was fresh and when it ended, to the differences.

import { type Declaration, type Definitions, readDefinitions, readElements, unquote } from './printed.js'
import { RecordFault, type Steps } from './reading.js'
import { aliasStatement, bareStatement, isOwnAlias, isOwnVariable, variableStatement } from './restore.js'
import { readFunctions, type SavedFunctions } from './saved-functions.js'
import { argumentsVariable } from './shell-code.js'
import type { ByteString, OptionChanges, ShellState } from './state.js'
import { neverCarriedSet, uncarried } from './uncarried.js'

/** The sections of one saved state by their names. */
export type SavedSections = ReadonlyMap<string, ByteString>

export interface SavedText {
  /** What the record holds of the fresh shell. */
  fresh: ByteString
  saved: SavedSections
  /** The state that the call began with. */
  before: ShellState
  earlier: EarlierReading
}

/** What an earlier call has saved, as it was read: most of it has not changed since. It does not decide what is believed. */
export interface EarlierReading {
  fresh?: Definitions
  functions?: SavedFunctions
}

/**
 * What the call has not changed stays in the state, also where a fresh shell has the same: any process of the command can
 * write what the record says of the fresh shell, and must not make the session forget what it had.
 *
 * @throws {RecordFault} when it is not what bash prints
 */
export function* readState(text: SavedText): Steps<{ state: ShellState; dropped: ByteString[] }> {
  const { saved, before, earlier } = text
  const [freshOptions, freshMask, freshText] = firstLines(text.fresh)
  const fresh = yield* readFresh(freshText, earlier.fresh)
  const final = yield* readDefinitions(saved.get('definitions') ?? '', fresh.lines)
  const valueless = yield* readDefinitions(saved.get('valueless') ?? '')
  for (const [name, declaration] of valueless.variables) {
    if (final.variables.has(name)) final.variables.set(name, declaration)
  }
  const readonlyText = saved.get('readonly')
  const hidden = readonlyText === undefined ? undefined : (yield* readDefinitions(readonlyText)).variables
  if (saved.get('functions') !== '') throw new RecordFault('the functions are not where they belong')
  const functions = yield* readFunctions(
    { names: saved.get('names') ?? '', texts: saved.get('texts') ?? '' },
    before.functions,
    earlier.functions,
  )
  const [freshSet, freshShopt] = readOptions(freshOptions)
  const [set, shopt] = readFinalOptions(saved.get('state') ?? '')
  const aliases = yield* restoredAliases(final)
  const processText = saved.get('umask') ?? ''
  const builtinStart = processText.indexOf('\n') + 1
  const state: ShellState = {
    ...(yield* readVariables(fresh, final, hidden, before)),
    functions: functions.functions,
    unsetFunctions: new Set(
      [...before.unsetFunctions, ...fresh.functions.keys()].filter((name) => !functions.listed.has(name)),
    ),
    aliases,
    // `local -` has made them those of a function, and what they were outside it cannot be read.
    set: final.variables.has('-')
      ? before.set
      : changes(before.set, freshSet, set, [
          ...neverCarriedSet,
          ...(shopt.includes('extdebug') ? extdebugSet : []),
        ]),
    shopt: changes(before.shopt, freshShopt, shopt, neverCarriedShopt),
    umask: readMask(before.umask, freshMask, processText.slice(0, builtinStart)),
    // In a function they are those of the function.
    positional:
      hidden === undefined ? yield* elementsOf(final.variables.get(argumentsVariable)) : before.positional,
    directories: (yield* elementsOf(final.variables.get('DIRSTACK'))).slice(1),
  }
  const dropped = [
    ...functions.dropped.map((name) => `function ${name}`),
    ...[...final.aliases.keys()].filter(isOwnAlias).map((name) => `alias ${name}`),
    ...uncarried({
      builtinText: processText.slice(builtinStart),
      set: changes({ on: [], off: [] }, freshSet, set, []).on,
      variables: final.variables,
      fresh: fresh.variables,
    }),
  ]
  Object.assign(earlier, { fresh, functions })
  return { state, dropped }
}

function firstLines(text: ByteString): [options: ByteString, mask: ByteString, rest: ByteString] {
  const first = text.indexOf('\n') + 1
  const second = text.indexOf('\n', first) + 1
  return [text.slice(0, first), text.slice(first, second), text.slice(second)]
}

/** Most fresh shells of a session differ in nothing but process ids, and such variables do not count. */
function* readFresh(text: ByteString, earlier: Definitions | undefined): Steps<Definitions> {
  if (earlier === undefined) return yield* readDefinitions(text)
  const { variables, unchanged, functions } = yield* readDefinitions(text, earlier.lines)
  const isLike =
    unchanged.size + variables.size === earlier.variables.size &&
    [...variables.keys()].every((name) => isOwnVariable(name) && earlier.variables.has(name))
  return isLike ? { ...earlier, functions } : yield* readDefinitions(text)
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
  const doubles = doublesMarks(fresh)
  let count = 0
  for (const [name, declaration] of final.variables) {
    count += 1
    if (count % 256 === 0) yield
    const isFresh = isSame(declaration, fresh.variables.get(name))
    if (isOwnVariable(name) || (isFresh && !before.variables.has(name))) continue
    // What the name stands for beyond the function is not known where a local variable cannot be unset, or bash before
    // 5.2 leaves it there without a value.
    const readonlyBefore = hidden?.get(name)
    const isMarked = readonlyBefore?.flags.includes('t') === false && declaration.flags.includes('t')
    // Every global variable has been made read-only: others are local ones that are still there.
    const isHidden =
      (readonlyBefore !== undefined && !isMarked) ||
      (hidden !== undefined && !declaration.flags.includes('r'))
    const statement = isHidden
      ? before.variables.get(name)
      : hidden !== undefined && isBare(declaration)
        ? keptBare(name, before)
        : yield* variableStatement(doubled(isMarked ? withoutMark(declaration) : declaration, doubles))
    if (isFresh && statement !== before.variables.get(name)) continue
    if (statement === undefined) {
      if (before.unsetVariables.has(name)) unsetVariables.add(name)
    } else if (statement !== '')
      (declaration.flags.includes('n') ? references : variables).set(name, statement)
    else if (fresh.variables.has(name)) unsetVariables.add(name)
  }
  for (const printed of fresh.lines) {
    const { name } = printed.variable
    if (final.variables.has(name) || isOwnVariable(name)) continue
    const known = before.variables.get(name)
    if (!final.unchanged.has(printed)) unsetVariables.add(name)
    else if (known !== undefined && known === (yield* variableStatement(doubled(printed.variable, doubles))))
      (printed.variable.flags.includes('n') ? references : variables).set(name, known)
  }
  if (before.unsetVariables.size > 0) {
    const unchanged = new Set([...final.unchanged].map(({ variable }) => variable.name))
    for (const name of before.unsetVariables)
      if (!final.variables.has(name) && !unchanged.has(name)) unsetVariables.add(name)
  }
  // A reference comes last: what is declared after it under its name would go to its target.
  for (const [name, statement] of references) variables.set(name, statement)
  return { variables, unsetVariables }
}

function isBare({ flags, word }: Declaration): boolean {
  return word === undefined && /^[-r]$/.test(flags)
}

/** Without a value or attributes it may have come into being as it was made read-only. */
function keptBare(name: ByteString, before: ShellState): ByteString {
  const statement = bareStatement(name)
  return before.variables.get(name) === statement ? statement : ''
}

function withoutMark(declaration: Declaration): Declaration {
  return { ...declaration, flags: declaration.flags.replace('t', '') }
}

/** Whether this bash is older than 5.0, which prints \x01 and \x7f with another \x01 in front. */
function doublesMarks({ variables }: Definitions): boolean {
  return variables.get('BASH_VERSINFO')?.word?.startsWith('([0]="4"') ?? false
}

/** As a bash that doubles them prints it: so `unquote` expects it. */
function doubled(declaration: Declaration, doubles: boolean): Declaration {
  const { word } = declaration
  if (doubles || word === undefined || !/[\x01\x7f]/.test(word)) return declaration
  return { ...declaration, word: word.replace(/[\x01\x7f]/g, '\x01$&') }
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

function readMask(before: string | undefined, fresh: ByteString, final: ByteString): string | undefined {
  if (!/^[0-7]{1,4}\n$/.test(final)) throw new RecordFault('the umask is not a number')
  const mask = final.trimEnd()
  return fresh === final && mask !== before ? undefined : mask
}

/**
 * The first starts a debugger when it is on as a shell starts, and brings two with it; the next two cannot be changed. The
 * others are what BASH_COMPAT says.
 */
const neverCarriedShopt = [
  'extdebug',
  'login_shell',
  'restricted_shell',
  ...[31, 32, 40, 41, 42, 43, 44].map((version) => `compat${version}`),
]
const extdebugSet = ['functrace', 'errtrace']

function readOptions(text: ByteString): [set: string[], shopt: string[]] {
  const match = /^([a-z0-9:_-]*) ([a-z0-9:_-]*)\n$/.exec(text)
  if (match === null) throw new RecordFault('the options are not as bash lists them')
  const [set = [], shopt = []] = match.slice(1).map((list) => list.split(':').filter((name) => name !== ''))
  return [set, shopt]
}

/** GLOBIGNORE changes dotglob, and only shopt brings BASHOPTS up to date: what it is then stands behind the options. */
function readFinalOptions(text: ByteString): [set: string[], shopt: string[]] {
  const [, options = text, later] = /^(\S* \S*) (\S*\n)$/.exec(text) ?? []
  if (later === undefined) return readOptions(text)
  const [set, shopt] = readOptions(`${options}\n`)
  const [, laterShopt] = readOptions(` ${later}`)
  const others = shopt.filter((name) => name !== 'dotglob')
  return [set, laterShopt.includes('dotglob') ? [...others, 'dotglob'] : others]
}

function changes(before: OptionChanges, fresh: string[], final: string[], never: string[]): OptionChanges {
  const missing = (from: readonly string[], names: readonly string[]) => {
    const known = new Set([...from, ...never])
    return names.filter((name) => !known.has(name))
  }
  return {
    on: missing(
      fresh.filter((name) => !before.on.includes(name)),
      final,
    ),
    off: missing(final, [...new Set([...fresh, ...before.off])]),
  }
}
