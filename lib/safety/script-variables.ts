// Which variables a script sets or tests, anywhere in it: the others come from its environment, if they are there at all.

import type { Command, Script, Word, WordPart } from '../syntax/script.js'

/** Those that every bash has. */
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

const shells = new Set(['bash', 'dash', 'ksh', 'set', 'sh', 'zsh'])

/** What a script does with its variables, looked for when it is asked for. */
export class ScriptVariables {
  private set: ReadonlySet<string> | null | undefined
  private counts: Map<string, number> | null = null

  constructor(
    private readonly script: Script,
    private readonly text: string,
  ) {}

  isSetOrTested(name: string): boolean {
    if (this.set === undefined) this.set = setVariables(this.script, this.text)
    return this.set?.has(name) ?? true
  }

  isAssignedTwice(name: string): boolean {
    this.counts ??= countAssignments(this.script)
    return (this.counts.get(name) ?? 0) > 1
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

/** The names; null: whatever is unset may be set, or ends the script. */
function setVariables(script: Script, text: string): ReadonlySet<string> | null {
  const names = comparedVariables(text)
  for (const item of script.items) {
    if (item.kind === 'for') names.add(item.name)
    else if (!addFrom(item, names)) return null
  }
  return names
}

/** @returns false when the command may set any of them */
function addFrom({ assignments, words, redirects }: Command, names: Set<string>): boolean {
  for (const { name, value } of assignments) {
    names.add(name)
    if (value !== null) addTested(value.parts, names)
  }
  for (const { target } of redirects) addTested(target.parts, names)
  for (const { parts } of words) addTested(parts, names)
  const [name, ...rest] = words
  const program = name === undefined ? '' : literalOf(name)
  if (setters.has(program)) {
    for (const word of rest) names.add(identifier.exec(literalOf(word))?.[0] ?? '')
  } else if (program === '[' || program === 'test') {
    for (const { parts } of rest) addAll(parts, names)
  } else if (program === '.' || program === 'source') return false
  else if (program === 'eval') return !evaluatesUnknown(rest[0], names)
  else if (shells.has(program)) return !rest.some(stopsAtUnset)
  return true
}

/** `${NAME:?}`, `${NAME:-x}` and the like say what is to happen without it. */
function addTested(parts: readonly WordPart[], names: Set<string>): void {
  for (const part of parts) {
    if (part.kind !== 'variable') continue
    if (part.operator !== '' && part.operator !== 'other') names.add(part.name)
    if (part.operand !== null) addTested(part.operand.parts, names)
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

/** What begins and what ends a comparison, and names. */
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
