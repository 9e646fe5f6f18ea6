// What is known while a script runs: variables, the working directory, aliases of git.

import { posix } from 'node:path'
import { normalize } from './paths.js'
import { type Argument, unknownText } from './rule.js'

/** Of a variable with more possible values, or longer ones, nothing is remembered. */
export const maxValues = 64
const maxValueLength = 65_536

const unknownValue: readonly string[] = [unknownText]

/** The value of IFS in a new shell, whatever its environment says. */
export const defaultSeparators = ' \t\n'

/** Nobody has more of them. */
const maxSeparators = 64

/** An element of an array: a text, or a name that a pattern stands for. */
export type Element = Pick<Argument, 'text' | 'pattern'>

/** Of an array with more elements nothing is remembered. */
const maxElements = 1024

/** A scope; a child sees what its parent knows, and keeps what it learns to itself. */
export class Scope {
  private readonly variables = new Map<string, readonly string[]>()
  private readonly arrays = new Map<string, readonly Element[]>()
  private readonly gitAliases = new Map<string, string>()
  private directory: string | null
  /** Every command is asked for it. */
  private lastHome: { value: string; path: string } | null = null

  private constructor(
    private readonly parent: Scope | null,
    readonly startDir: string,
  ) {
    this.directory = parent === null ? startDir : parent.directory
  }

  static root(workingDir: string, home: string): Scope {
    const scope = new Scope(null, normalize(workingDir))
    scope.variables.set('HOME', home === '' ? unknownValue : [home])
    for (const name of ['USER', 'LOGNAME']) scope.variables.set(name, [posix.basename(home) || unknownText])
    scope.variables.set('PWD', [scope.startDir])
    scope.variables.set('IFS', [defaultSeparators])
    return scope
  }

  child(): Scope {
    return new Scope(this, this.startDir)
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
    scope.changeDirectory(null)
    return scope
  }

  /** Where relative paths begin: absolute and normalised; null when not known. */
  get workingDir(): string | null {
    return this.directory
  }

  get home(): string | null {
    const [home] = this.values('HOME') ?? []
    if (home === undefined || !home.startsWith('/') || home.includes(unknownText)) return null
    if (this.lastHome?.value !== home) this.lastHome = { value: home, path: normalize(home) }
    return this.lastHome.path
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

  /** The values that a variable may have: at least one, with {@link unknownText} for unknown parts; null: not known. */
  values(name: string): readonly string[] | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const values = scope.variables.get(name)
      if (values !== undefined) return values === unknownValue ? null : values
    }
    return null
  }

  /** Whether the script has given it a value, known or not. */
  isAssigned(name: string): boolean {
    return this.variables.has(name) || (this.parent?.isAssigned(name) ?? false)
  }

  /** @param values null: not known */
  assign(name: string, values: readonly string[] | null): void {
    const known =
      values !== null &&
      values.length > 0 &&
      values.length <= maxValues &&
      values.every((value) => value.length <= maxValueLength)
    this.variables.set(name, known ? values : unknownValue)
    this.arrays.delete(name)
  }

  /** The elements of an array; null: not known. */
  elements(name: string): readonly Element[] | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const elements = scope.arrays.get(name)
      if (elements !== undefined) return elements
      // It is no array any more.
      if (scope.variables.has(name)) return null
    }
    return null
  }

  /** @param elements null: not known */
  assignArray(name: string, elements: readonly Element[] | null): void {
    const [first] = elements ?? []
    this.assign(name, first === undefined ? null : [first.text])
    if (elements !== null && elements.length <= maxElements) this.arrays.set(name, elements)
  }

  /** `cd`: a relative path begins where the script is. */
  changeDirectory(path: string | null): void {
    const previous = this.directory
    this.directory = path === null ? null : this.resolve(path)
    this.assign('OLDPWD', previous === null ? null : [previous])
    this.assign('PWD', this.directory === null ? null : [this.directory])
  }

  private resolve(path: string): string | null {
    if (path.includes(unknownText)) return null
    if (path.startsWith('/')) return normalize(path)
    return this.directory === null ? null : normalize(`${this.directory}/${path}`)
  }

  gitAlias(name: string): string | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const alias = scope.gitAliases.get(name)
      if (alias !== undefined) return alias
    }
    return null
  }

  addGitAlias(name: string, text: string): void {
    this.gitAliases.set(name, text)
  }
}
