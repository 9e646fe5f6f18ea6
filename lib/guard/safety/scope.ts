// What is known while a script runs: variables, the working directory, aliases of git.

import { posix } from 'node:path'
import { normalize } from './paths.js'
import { type Argument, unknownText } from './rule.js'

/** A variable with more possible values, or longer ones, counts as not known. */
export const maxValues = 64
const maxValueLength = 65_536

const unknownValue: readonly string[] = [unknownText]

/** The value of IFS in a new shell, whatever its environment says. */
export const defaultSeparators = ' \t\n'

/** Characters of IFS that are looked at. */
const maxSeparators = 64

/** An element of an array: a text, or a name that a pattern stands for. */
export type Element = Pick<Argument, 'text' | 'pattern'>

/** An array with more elements counts as not known. */
const maxElements = 1024

/** A scope; a child sees what its parent knows, and keeps what it learns to itself. What is undefined is not known. */
export class Scope {
  /** Where the whole command was started. */
  readonly startDir: string
  /** The directory of the conversation. */
  readonly contextDir: string
  readonly #parent: Scope | undefined
  readonly #variables = new Map<string, readonly string[]>()
  /** Undefined: there are none, as in most scripts. */
  #arrays: Map<string, readonly Element[]> | undefined
  #gitAliases: Map<string, string> | undefined
  #workingDir: string | undefined
  /** A cache: every command is asked for it. */
  #lastHome: { value: string; path: string } | undefined

  constructor(startDir: string, parent?: Scope, contextDir = parent?.contextDir ?? startDir) {
    this.startDir = startDir
    this.contextDir = contextDir
    this.#parent = parent
    this.#workingDir = parent === undefined ? startDir : parent.#workingDir
  }

  static root(workingDir: string, home: string, contextDir = workingDir): Scope {
    const scope = new Scope(normalize(workingDir), undefined, normalize(contextDir))
    const user = posix.basename(home) || unknownText
    scope.#variables.set('HOME', home === '' ? unknownValue : [home])
    scope.#variables.set('USER', [user])
    scope.#variables.set('LOGNAME', [user])
    scope.#variables.set('PWD', [scope.startDir])
    scope.#variables.set('IFS', [defaultSeparators])
    return scope
  }

  child(): Scope {
    return new Scope(this.startDir, this)
  }

  /** With assignments that hold for a command: `NAME=value` each. */
  with(assignments: readonly string[]): Scope {
    if (assignments.length === 0) return this
    const scope = this.child()
    for (const assignment of assignments) {
      const equals = assignment.indexOf('=')
      scope.assign(assignment.slice(0, equals), [assignment.slice(equals + 1)])
    }
    return scope
  }

  /** On another machine: there is a home directory, but nothing else is known. */
  elsewhere(): Scope {
    const scope = Scope.root(this.startDir, this.home ?? '')
    scope.changeDirectory(undefined)
    return scope
  }

  /** Where relative paths begin: absolute and normalised. */
  get workingDir(): string | undefined {
    return this.#workingDir
  }

  get home(): string | undefined {
    const [home] = this.values('HOME') ?? []
    if (home === undefined || !home.startsWith('/') || home.includes(unknownText)) return undefined
    if (this.#lastHome?.value !== home) this.#lastHome = { value: home, path: normalize(home) }
    return this.#lastHome.path
  }

  /** The characters at which unquoted expansions are split: those of each value that IFS may have. */
  get separators(): string {
    const values = this.values('IFS') ?? [defaultSeparators]
    const [first = ''] = values
    if (values.length === 1 && first.length <= maxSeparators && !first.includes(unknownText)) return first
    const known = values.map((value) =>
      value.slice(0, maxSeparators).replaceAll(unknownText, defaultSeparators),
    )
    return known.join('').slice(0, maxSeparators)
  }

  /** The values that a variable may have: at least one, with {@link unknownText} for unknown parts. */
  values(name: string): readonly string[] | undefined {
    const values = this.#variables.get(name)
    if (values === undefined) return this.#parent?.values(name)
    return values === unknownValue ? undefined : values
  }

  /** Whether the script has given it a value, known or not. */
  isAssigned(name: string): boolean {
    return this.#variables.has(name) || (this.#parent?.isAssigned(name) ?? false)
  }

  assign(name: string, values: readonly string[] | undefined): void {
    const known =
      values !== undefined &&
      values.length > 0 &&
      values.length <= maxValues &&
      values.every((value) => value.length <= maxValueLength)
    this.#variables.set(name, known ? values : unknownValue)
    this.#arrays?.delete(name)
  }

  /** The elements of an array. */
  elements(name: string): readonly Element[] | undefined {
    const elements = this.#arrays?.get(name)
    // A value hides an array of an outer scope.
    return elements ?? (this.#variables.has(name) ? undefined : this.#parent?.elements(name))
  }

  assignArray(name: string, elements: readonly Element[] | undefined): void {
    const [first] = elements ?? []
    this.assign(name, first && [first.text])
    if (elements === undefined || elements.length > maxElements) return
    this.#arrays ??= new Map()
    this.#arrays.set(name, elements)
  }

  /** `cd`: a relative path begins where the script is. */
  changeDirectory(path: string | undefined): void {
    const previous = this.#workingDir
    this.#workingDir = path === undefined ? undefined : this.#resolve(path)
    this.assign('OLDPWD', previous === undefined ? undefined : [previous])
    this.assign('PWD', this.#workingDir === undefined ? undefined : [this.#workingDir])
  }

  #resolve(path: string): string | undefined {
    if (path.includes(unknownText)) return undefined
    if (path.startsWith('/')) return normalize(path)
    return this.#workingDir && normalize(`${this.#workingDir}/${path}`)
  }

  gitAlias(name: string): string | undefined {
    return this.#gitAliases?.get(name) ?? this.#parent?.gitAlias(name)
  }

  addGitAlias(name: string, text: string): void {
    this.#gitAliases ??= new Map()
    this.#gitAliases.set(name, text)
  }
}
