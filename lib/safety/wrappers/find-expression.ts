// Reads the expression of `find`: what it may find, and what it does with that (find(1), "EXPRESSION").

import { type Field, literalField } from '../expansion/field.js'
import { escapePattern, isPattern, unescapePattern } from '../glob.js'
import { unknownText } from '../rule.js'

/** A command that is run, or `-delete`. */
export interface FindAction {
  /** The words of the command, with `{}` where paths go; null for `-delete`. */
  words: readonly Field[] | null
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

/** Tests that hardly leave anything out, and what is no test at all, with the number of their arguments. */
const unselective: ReadonlyMap<string, number> = new Map([
  ['-a', 0],
  ['-and', 0],
  ['-d', 0],
  ['-daystart', 0],
  ['-depth', 0],
  ['-fls', 1],
  ['-follow', 0],
  ['-fprint', 1],
  ['-fprint0', 1],
  ['-ignore_readdir_race', 0],
  ['-ls', 0],
  ['-maxdepth', 1],
  ['-mindepth', 1],
  ['-mount', 0],
  ['-noleaf', 0],
  ['-nowarn', 0],
  ['-print', 0],
  ['-print0', 0],
  ['-printf', 1],
  ['-prune', 0],
  ['-regextype', 1],
  ['-true', 0],
  ['-warn', 0],
  ['-xdev', 0],
])

const withoutArgument = new Set([
  '-empty',
  '-executable',
  '-false',
  '-nogroup',
  '-nouser',
  '-quit',
  '-readable',
  '-writable',
])
const runsCommand = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const byName = new Set(['-name', '-iname'])
const byPath = new Set(['-path', '-ipath', '-wholename', '-iwholename'])
/** Names, and paths that are found: more are no mistake of anyone. */
const maxFound = 32
/** Commands that select when find runs them. */
const selectingCommands = new Set(['test', '[', 'grep', 'sh', 'bash'])

/** The tests since the last `-o`, which all hold where an action is reached. */
class Selection {
  names: string[] = []
  wholePaths: string[] = []
  /** Something else that leaves paths out. */
  narrows = false
  filesOnly = false

  clear(): void {
    this.names = []
    this.wholePaths = []
    this.narrows = false
    this.filesOnly = false
  }
}

/** @param words the arguments of find, without its name */
export function readFind(words: readonly Field[]): FindExpression {
  return new FindReader(words).read()
}

class FindReader {
  private index = 0
  private readonly selection = new Selection()
  private readonly actions: FindAction[] = []
  private roots: readonly Field[] = []
  private minimumDepth = 0
  private maximumDepth = Number.POSITIVE_INFINITY

  constructor(private readonly words: readonly Field[]) {}

  read(): FindExpression {
    this.readRoots()
    let nesting = 0
    let negated = false
    while (this.index < this.words.length) {
      const option = this.words[this.index++] as Field
      if (option.text === '(') nesting++
      else if (option.text === ')') nesting--
      else if (option.text === '!' || option.text === '-not') {
        negated = true
        continue
      } else if (isAlternative(option.text)) {
        if (nesting === 0) this.selection.clear()
      } else this.test(option, negated)
      negated = false
    }
    const paths = this.found()
    return {
      actions: this.actions,
      paths,
      terminator: this.words.some(({ text }) => text === '-print0') ? '\0' : '\n',
      isKnown: paths.every(({ pattern }) => pattern === null) && paths.length > 0,
    }
  }

  private readRoots(): void {
    for (; this.index < this.words.length; this.index++) {
      const { text } = this.words[this.index] as Field
      if (text === '-D') this.index++
      else if (!/^-(?:[HLP]+|O\d?)$/.test(text)) break
    }
    const start = this.index
    while (
      this.index < this.words.length &&
      !/^(?:[-(!,]|\)$)/.test((this.words[this.index] as Field).text)
    ) {
      this.index++
    }
    this.roots = this.words.slice(start, this.index)
    const place = this.words[0]
    if (this.roots.length === 0 && place !== undefined) this.roots = [literalField('.', place)]
  }

  private test(option: Field, negated: boolean): void {
    const { text } = option
    const { selection } = this
    const argument = this.words[this.index]?.text ?? ''
    if (text === '-delete') {
      // Without directories nothing is lost but files in this one place.
      if (!(selection.filesOnly && this.maximumDepth <= 1)) this.act(null)
    } else if (runsCommand.has(text)) {
      this.command()
    } else if (text === '-type' || text === '-xtype') {
      this.index++
      if (!/^[fd,]+$/.test(argument)) selection.narrows = true
      else if (argument === 'f' && !negated) selection.filesOnly = true
    } else if (byName.has(text) || byPath.has(text)) {
      this.index++
      if (negated) selection.narrows = true
      else if (selection.names.length + selection.wholePaths.length < maxFound)
        (byName.has(text) ? selection.names : selection.wholePaths).push(
          ignoresCase(text) ? argument.toLowerCase() : argument,
        )
    } else {
      if (text === '-mindepth') this.minimumDepth = Number(argument)
      if (text === '-maxdepth') this.maximumDepth = Number(argument)
      const known = unselective.get(text)
      if (known === undefined) selection.narrows = true
      this.index += known ?? (withoutArgument.has(text) ? 0 : 1)
    }
  }

  private command(): void {
    const start = this.index
    while (this.index < this.words.length && !this.endsCommand()) this.index++
    const words = this.words.slice(start, this.index)
    const many = this.words[this.index]?.text === '+'
    this.index++
    if (words.length === 0) return
    this.act(words)
    if (!many && selectingCommands.has(words[0]?.text as string)) this.selection.narrows = true
  }

  private endsCommand(): boolean {
    const { text } = this.words[this.index] as Field
    return text === ';' || (text === '+' && this.words[this.index - 1]?.text.endsWith('{}') === true)
  }

  private act(words: readonly Field[] | null): void {
    this.actions.push({ words, found: this.found() })
  }

  /** As far as names and roots tell: nothing, when other tests leave much out. */
  private found(): Field[] {
    const { narrows } = this.selection
    const names = this.selection.names.filter((name) => !narrows || !isPattern(name))
    const paths = this.selection.wholePaths.filter((path) => !narrows || !isPattern(path))
    const [root] = this.roots
    if (root !== undefined && paths.length > 0) return paths.map((path) => withPattern(path, path, root))
    if (names.length > 0) {
      const few = this.roots.slice(0, Math.ceil(maxFound / names.length))
      return few.flatMap((root) => names.map((name) => below(root, name)))
    }
    if (narrows || this.selection.names.length > 0 || this.selection.wholePaths.length > 0) return []
    const few = this.roots.slice(0, maxFound)
    return this.minimumDepth > 0 ? few.map((root) => below(root, '*')) : few
  }
}

function ignoresCase(text: string): boolean {
  return text.startsWith('-i')
}

function isAlternative(text: string): boolean {
  return text === '-o' || text === '-or' || text === ','
}

function below(root: Field, name: string): Field {
  const slash = root.text.endsWith('/') ? '' : '/'
  const pattern = (root.pattern ?? escapePattern(root.text)) + slash + name
  const unset = name.includes(unknownText) ? null : root.unset
  return { ...withPattern(root.text + slash + name, pattern, root), unset }
}

function withPattern(text: string, pattern: string, place: Field): Field {
  return { ...literalField(unescapePattern(text), place), pattern: isPattern(pattern) ? pattern : null }
}
