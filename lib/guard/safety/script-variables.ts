// Which variables a script sets or tests anywhere. The others come from its environment, or are unset.

import type { Command, Script, Word, WordPart } from './script/script.js'

/** Variables that every bash has. */
const ofShell = new Set(
  (
    'BASH BASHPID BASH_VERSION DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID GROUPS HOME HOSTNAME HOSTTYPE IFS LINENO ' +
    'MACHTYPE OLDPWD OPTIND OSTYPE PATH PPID PWD RANDOM SECONDS SHELL SHLVL SRANDOM TERM UID'
  ).split(' '),
)

const identifier = /^[A-Za-z_]\w*/

/** Whether a variable is there only if the script sets it, or its environment has it. */
export function mayBeUnset(name: string): boolean {
  return identifier.test(name) && !ofShell.has(name)
}

/** Builtins that set the variables which they name. */
const setters = new Set(['getopts', 'let', 'mapfile', 'printf', 'read', 'readarray', 'wait'])

/** Variables that they set without naming them. */
const impliedNames: Readonly<Record<string, readonly string[]>> = {
  getopts: ['OPTARG'],
  mapfile: ['MAPFILE'],
  read: ['REPLY'],
  readarray: ['MAPFILE'],
}

/** `export $(cat .env)` sets what is in there. */
const declarers = new Set(['declare', 'env', 'export', 'local', 'readonly', 'typeset'])

/** Programs that fail for an empty name. `cd` does not. */
const needNames = new Set(['ls', 'mkdir', 'readlink', 'realpath', 'stat'])

/** How many variables are remembered that one is copied from. */
const maxSources = 8

const shells = new Set(['bash', 'dash', 'ksh', 'set', 'sh', 'zsh'])

/** What a script does with its variables. */
export class ScriptVariables {
  readonly #uses: VariableUses | undefined
  readonly #counts: ReadonlyMap<string, number>

  constructor(script: Script, text: string) {
    this.#uses = usesOfVariables(script, text)
    this.#counts = countAssignments(script)
  }

  isSetOrTested(name: string): boolean {
    return this.#uses?.set.has(name) ?? true
  }

  /** The variables that it is a copy of, as in `A=$B`; empty where it is assigned anything else, or nothing. */
  copiedFrom(name: string): readonly string[] {
    return this.isSetOrTested(name) ? [] : (this.#uses?.copies.get(name) ?? [])
  }

  isAssignedTwice(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 1
  }
}

function countAssignments({ items }: Script): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    for (const { name } of item.kind === 'command' ? item.assignments : []) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

interface VariableUses {
  /** What is set or tested. */
  set: Set<string>
  /** Variables that are only assigned other ones, with those. */
  copies: Map<string, string[]>
}

/** @returns undefined where whatever is unset may be set, or ends the script */
function usesOfVariables(script: Script, text: string): VariableUses | undefined {
  const uses: VariableUses = { set: comparedVariables(text), copies: new Map() }
  for (const item of script.items) {
    if (item.kind === 'for') uses.set.add(item.name)
    else {
      const isTestedFor = /^[ \t]*&&/.test(text.slice(item.end, item.end + 9))
      if (isTestedFor) addNeeded(item, uses.set)
      if (!addFrom(item, uses)) return undefined
    }
  }
  return uses
}

/** @returns false when the command may set any of them */
function addFrom({ assignments, words, redirects }: Command, { set: names, copies }: VariableUses): boolean {
  for (const { name, append, value } of assignments) {
    const sources = append || !value ? undefined : copied(value)
    if (sources === undefined) names.add(name)
    else copies.set(name, [...(copies.get(name) ?? []), ...sources].slice(0, maxSources))
    if (value) addTested(value.parts, names)
  }
  for (const { target } of redirects) addTested(target.parts, names)
  for (const { parts } of words) addTested(parts, names)
  const [name, ...rest] = words
  const program = name === undefined ? '' : literalOf(name)
  if (setters.has(program)) {
    for (const word of rest) names.add(identifier.exec(literalOf(word))?.[0] ?? '')
    for (const implied of impliedNames[program] ?? []) names.add(implied)
  } else if (program === '[' || program === 'test') {
    for (const { parts } of rest) addAll(parts, names)
  } else if (declarers.has(program)) return !rest.some(isComputed)
  else if (program === '.' || program === 'source') return false
  else if (program === 'eval') return !evaluatesUnknown(rest[0], names)
  else if (shells.has(program)) return !rest.some(stopsAtUnset)
  return true
}

/** `mkdir -p "$DIR" && …`: what follows does not run without it. */
function addNeeded({ words }: Command, names: Set<string>): void {
  const [name, ...rest] = words
  if (name === undefined || !needNames.has(literalOf(name))) return
  for (const { parts } of rest) {
    const [part] = parts
    if (parts.length === 1 && part?.kind === 'variable' && part.quoted) names.add(part.name)
  }
}

/** The variables that a value consists of; undefined where there is anything else in it, or nothing. */
function copied({ parts }: Word): string[] | undefined {
  const names = parts.flatMap((part) => (part.kind === 'variable' && part.operator === '' ? [part.name] : []))
  return names.length === parts.length && names.length > 0 ? names : undefined
}

/** What only running it tells. */
function isComputed({ parts: [part] }: Word): boolean {
  return part?.kind === 'substitution' || (part?.kind === 'variable' && !part.quoted)
}

/** `${NAME:?}`, `${NAME:-x}` and the like say what is to happen without it. */
function addTested(parts: readonly WordPart[], names: Set<string>): void {
  for (const part of parts) {
    if (part.kind !== 'variable') continue
    if (part.operator !== '' && part.operator !== 'other') names.add(part.name)
    if (part.operand) addTested(part.operand.parts, names)
  }
}

function addAll(parts: readonly WordPart[], names: Set<string>): void {
  for (const part of parts) if (part.kind === 'variable') names.add(part.name)
}

/** `eval "$(./env)"`, but not `CODE=…; eval "$CODE"`, which is looked into. */
function evaluatesUnknown(word: Word | undefined, names: ReadonlySet<string>): boolean {
  const first = word?.parts[0]
  if (first === undefined || first.kind === 'literal') return false
  return first.kind !== 'variable' || !names.has(first.name)
}

/** `set -u`, `set -o nounset`, `bash -eu` */
function stopsAtUnset(word: Word): boolean {
  return /^(?:-[A-Za-z]*u[A-Za-z]*|nounset)$/.test(literalOf(word))
}

function literalOf({ parts }: Word): string {
  const [part] = parts
  return parts.length === 1 && part?.kind === 'literal' ? part.text : ''
}

/** The beginning and the end of a comparison, and names. */
const tokens =
  /(\[\[(?!\S)|\(\(|\bcase\b(?<=(?:^|[\n;&|({]|\b(?:then|do|else))[ \t]{0,99}case))|(\]\]|\)\)|\bin\b|\n)|[A-Za-z_]\w*/g

/** Those in `[[ … ]]`, `(( … ))` and `case … in`, of which a script has no commands. None of them spans lines. */
function comparedVariables(text: string): Set<string> {
  const names = new Set<string>()
  let isOpen = false
  for (const [token, opens, closes] of text.matchAll(tokens)) {
    if (opens !== undefined) isOpen = true
    else if (closes !== undefined) isOpen = false
    else if (isOpen) names.add(token)
  }
  return names
}
