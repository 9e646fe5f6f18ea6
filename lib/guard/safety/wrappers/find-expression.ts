// Reads the expression of `find`: what it may find, and what it does with that (find(1), "EXPRESSION").

import { type Field, literalField } from '../expansion/field.js'
import { escapePattern, isPattern, unescapePattern } from '../glob.js'
import { unknownText } from '../rule.js'

/** A command that is run, or `-delete`. */
export interface FindAction {
  /** The words of the command, with `{}` where paths go; undefined for `-delete`. */
  words: readonly Field[] | undefined
  /** What it is done to. */
  found: readonly Field[]
}

export interface FindExpression {
  actions: readonly FindAction[]
  /** What is printed, if anything. */
  paths: readonly Field[]
  /** What is printed behind each. */
  terminator: '\n' | '\0'
  /** Whether `paths` are all that can be found, and none is a pattern. */
  isKnown: boolean
}

/** Tests that leave out hardly anything, options and actions. */
const unselective = new Set(
  (
    '-a -and -d -daystart -depth -fls -follow -fprint -fprint0 -ignore_readdir_race -ls -maxdepth -mindepth -mount ' +
    '-noleaf -nowarn -print -print0 -printf -prune -regextype -true -warn -xdev'
  ).split(' '),
)
const withoutArgument = new Set(
  (
    '-a -and -d -daystart -depth -empty -executable -false -follow -ignore_readdir_race -ls -mount -nogroup ' +
    '-noleaf -nouser -nowarn -print -print0 -prune -quit -readable -true -warn -writable -xdev'
  ).split(' '),
)
const runsCommand = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const byName = new Set(['-name', '-iname'])
const byPath = new Set(['-path', '-ipath', '-wholename', '-iwholename'])
/** Names and roots that are looked at: nobody writes more by mistake. */
const maxFound = 32
/** Commands that select when find runs them. */
const selectingCommands = new Set(['test', '[', 'grep', 'sh', 'bash'])

/** The tests since the last `-o`, which all hold where an action is reached. */
class Selection {
  readonly names: string[] = []
  readonly wholePaths: string[] = []
  /** Something else that leaves paths out. */
  narrows = false
  filesOnly = false
}

/** @param words the arguments of find, without its name */
export function readFind(words: readonly Field[]): FindExpression {
  return new FindReader(words).read()
}

class FindReader {
  readonly #words: readonly Field[]
  #index = 0
  #selection = new Selection()
  readonly #actions: FindAction[] = []
  #roots: readonly Field[] = []
  #minimumDepth = 0
  #maximumDepth = Number.POSITIVE_INFINITY

  constructor(words: readonly Field[]) {
    this.#words = words
  }

  read(): FindExpression {
    this.#readRoots()
    let nesting = 0
    let negated = false
    for (let word = this.#words[this.#index]; word !== undefined; word = this.#words[this.#index]) {
      const { text } = word
      this.#index++
      if (text === '!' || text === '-not') {
        negated = true
        continue
      }
      if (text === '(') nesting++
      else if (text === ')') nesting--
      else if (text === '-o' || text === '-or' || text === ',') {
        if (nesting === 0) this.#selection = new Selection()
      } else this.#test(text, negated)
      negated = false
    }
    const paths = this.#found()
    return {
      actions: this.#actions,
      paths,
      terminator: this.#words.some(({ text }) => text === '-print0') ? '\0' : '\n',
      isKnown: paths.every(({ pattern }) => pattern === null) && paths.length > 0,
    }
  }

  get #next(): string | undefined {
    return this.#words[this.#index]?.text
  }

  #readRoots(): void {
    for (; /^-(?:[HLP]+|O\d?|D)$/.test(this.#next ?? ''); this.#index++) {
      if (this.#next === '-D') this.#index++
    }
    const start = this.#index
    while (this.#next !== undefined && !/^(?:[-(!,]|\)$)/.test(this.#next)) this.#index++
    this.#roots = this.#words.slice(start, this.#index)
    const [place] = this.#words
    if (this.#roots.length === 0 && place !== undefined) this.#roots = [literalField('.', place)]
  }

  #test(text: string, negated: boolean): void {
    const selection = this.#selection
    const argument = this.#next ?? ''
    if (text === '-delete') {
      // Then only files in this one directory are lost.
      if (!(selection.filesOnly && this.#maximumDepth <= 1)) this.#act(undefined)
    } else if (runsCommand.has(text)) {
      this.#command()
    } else if (text === '-type' || text === '-xtype') {
      this.#index++
      if (!/^[fd,]+$/.test(argument)) selection.narrows = true
      else if (argument === 'f' && !negated) selection.filesOnly = true
    } else if (byName.has(text) || byPath.has(text)) {
      this.#index++
      if (negated) selection.narrows = true
      else if (selection.names.length + selection.wholePaths.length < maxFound)
        (byName.has(text) ? selection.names : selection.wholePaths).push(
          text.startsWith('-i') ? argument.toLowerCase() : argument,
        )
    } else {
      if (text === '-mindepth') this.#minimumDepth = Number(argument)
      if (text === '-maxdepth') this.#maximumDepth = Number(argument)
      if (!unselective.has(text)) selection.narrows = true
      if (!withoutArgument.has(text)) this.#index++
    }
  }

  #command(): void {
    const start = this.#index
    while (this.#next !== undefined && !this.#endsCommand()) this.#index++
    const words = this.#words.slice(start, this.#index)
    const many = this.#next === '+'
    this.#index++
    const [name] = words
    if (name === undefined) return
    this.#act(words)
    if (!many && selectingCommands.has(name.text)) this.#selection.narrows = true
  }

  #endsCommand(): boolean {
    const isAll = this.#words[this.#index - 1]?.text.endsWith('{}') === true
    return this.#next === ';' || (this.#next === '+' && isAll)
  }

  #act(words: readonly Field[] | undefined): void {
    this.#actions.push({ words, found: this.#found() })
  }

  /** As far as names and roots tell: nothing, when other tests leave much out. */
  #found(): Field[] {
    const { narrows } = this.#selection
    const names = this.#selection.names.filter((name) => !narrows || !isPattern(name))
    const paths = this.#selection.wholePaths.filter((path) => !narrows || !isPattern(path))
    const [root] = this.#roots
    if (root !== undefined && paths.length > 0) return paths.map((path) => withPattern(path, path, root))
    if (names.length > 0) {
      const few = this.#roots.slice(0, Math.ceil(maxFound / names.length))
      return few.flatMap((root) => names.map((name) => below(root, name)))
    }
    if (narrows || this.#selection.names.length > 0 || this.#selection.wholePaths.length > 0) return []
    const few = this.#roots.slice(0, maxFound)
    return this.#minimumDepth > 0 ? few.map((root) => below(root, '*')) : few
  }
}

function below(root: Field, name: string): Field {
  const slash = root.text.endsWith('/') ? '' : '/'
  const pattern = (root.pattern ?? escapePattern(root.text)) + slash + name
  const unset = name.includes(unknownText) ? undefined : root.unset
  return { ...withPattern(root.text + slash + name, pattern, root), unset }
}

function withPattern(text: string, pattern: string, place: Field): Field {
  return { ...literalField(unescapePattern(text), place), pattern: isPattern(pattern) ? pattern : null }
}
