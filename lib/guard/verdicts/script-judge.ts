// Judges the commands of a script one by one: which of them are not known to only read, and why.

import { maxDepth, maxWrappers } from '../safety/budget.js'
import { baseName } from '../safety/paths.js'
import type { Command, Item, Script, Span } from '../safety/script/script.js'
import type { Steps } from '../safety/script/steps.js'
import { readTree } from '../safety/script/tree/read-tree.js'
import { readWithUnbash } from '../safety/script/unbash/read-with-unbash.js'
import type { Argument } from './argument.js'
import { assignmentChanges } from './assignments.js'
import { functionsMultiply, isLoop, leavesBackground, leavesProcesses } from './multiplying.js'
import { headOf, type Judging, notKnown, type Objection } from './objection.js'
import { mentionsSession } from './own-names.js'
import { Parallel } from './parallel.js'
import { matchRule, wordOf } from './policy/match-rule.js'
import type { LoadedRule } from './policy/policy.js'
import { isUsualDirectory } from './programs.js'
import { checkOf, startsNoOther } from './read-only/check-of.js'
import { Redirections } from './redirections.js'
import { residueOf, residueRuns } from './residue.js'
import { changesShell, setsByExpansion } from './shell-changes.js'
import { show } from './show.js'
import { isHarmlessVariable } from './variables.js'
import { certainWords, textOf, toArgument } from './words.js'

/** An objection, and what it is about. */
export interface Found extends Objection {
  program: string
  /** Of the command, as far as they are certain; undefined where it is not the command itself that asks. */
  words: readonly string[] | undefined
  start: number
  end: number
}

/** A command that a rule of the host allows. */
export interface Allowed extends Span {
  rule: LoadedRule
  program: string
}

/** What was found in a script and those in it. */
export interface Findings {
  found: readonly Found[]
  /** The commands that a rule of the host allows. */
  allowed: readonly Allowed[]
  repository: boolean
  /** Whether that is so of a command that no rule of the host allows; whether there is one. */
  readsRepository: boolean
  hasUnruled: boolean
  /** Whether later commands of the same shell may find something changed. */
  changesShell: boolean
}

/** Characters. Reading it twice would hold up the host. */
const maxLength = 20_000
export const maxReasons = 32
/** bash drops some of them, and marks what is quoted with others. */
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/
/** Of all commands, and of those that they run: both readings of a text of `maxLength` have half of them. */
const maxWords = 2 * maxLength
/** Commands between two offers to pause. */
const itemsPerStep = 32

/** @param rules that allow */
export function* findObjections(
  text: string,
  workingDir: string,
  rules: readonly LoadedRule[],
): Steps<Findings> {
  const judge = new ScriptJudge(text, workingDir, rules)
  yield* judge.read(text, undefined, 0, false)
  return judge.findings()
}

class ScriptJudge implements Judging {
  readonly workingDir: string
  readonly #text: string
  readonly #rules: readonly LoadedRule[]
  readonly #found: Found[] = []
  readonly #allowed: Allowed[] = []
  readonly #seen = new Set<string>()
  /** Those that have been read: both readings of a script lead to the same ones, which would double at each level. */
  readonly #read = new Set<string>()
  readonly #redirections = new Redirections()
  readonly #parallel = new Parallel()
  #nested: string[] = []
  /** Whether what is judged runs any number of times. */
  #repeats = false
  #wrappers = 0
  #words = 0
  /** What is judged. */
  #place: Span
  /** Of commands that a rule allows, and of others. */
  #repository = false
  #readsRepository = false
  #hasUnruled = false
  #hasGit = false
  #isElsewhere = false
  #hasArrays = false
  #hasOpenLocal = false
  #changesShell = false
  #isPiped = false
  compounds = 0

  constructor(text: string, workingDir: string, rules: readonly LoadedRule[]) {
    this.#text = text
    this.#rules = rules
    this.#place = { start: 0, end: text.length }
    this.workingDir = workingDir
  }

  findings(): Findings {
    if (this.#hasGit && this.#isElsewhere)
      this.#add('git', notKnown('reads the configuration of another repository', 'executes'), undefined)
    if (this.#hasArrays && this.#hasOpenLocal)
      this.#add('local', notKnown('may evaluate a value', 'executes'), undefined)
    if (this.#redirections.objection !== null) this.#add('', this.#redirections.objection, undefined)
    return {
      found: this.#found,
      allowed: this.#allowed,
      repository: this.#repository || this.#readsRepository,
      readsRepository: this.#readsRepository,
      hasUnruled: this.#hasUnruled,
      changesShell: this.#changesShell || setsByExpansion(this.#text),
    }
  }

  /**
   * @param place of the command that runs this script; undefined for the outermost
   * @param repeats whether that runs any number of times
   */
  *read(text: string, place: Item | undefined, depth: number, repeats: boolean): Steps<void> {
    const unread = (why: string) => this.#add('', notKnown(why), place)
    const key = `${repeats} ${text}`
    if (this.#read.has(key)) return
    this.#read.add(key)
    if (depth > maxDepth) return unread('scripts in scripts, nested too deeply')
    if (mentionsSession(text)) return unread('has a name that belongs to the session')
    if (controlCharacter.test(text)) return unread('a script with control characters')
    if (text.length > maxLength) return unread(`a script of more than ${maxLength} characters`)
    const nodes = yield { parse: text }
    if (!nodes) return unread('a script that only one of the two parsers can read here')
    const first = yield* readTree(text, nodes)
    const second = yield* readWithUnbash(text)
    // What one of them reads in another way is what an attacker looks for.
    if (first.unread !== null || second.unread !== null) {
      return unread('a script that cannot be read to its end for certain')
    }
    for (const script of [first, second]) yield* this.#walk(script, text, place, depth, repeats)
  }

  *#walk(
    script: Script,
    text: string,
    place: Item | undefined,
    depth: number,
    isRepeated: boolean,
  ): Steps<void> {
    const rest = residueOf(text, script)
    this.#redirections.noteScript(rest)
    const repeats = isRepeated || isLoop(rest)
    const hasRule = (program: string) => this.#rules.some(({ prefix: [names] }) => names?.includes(program))
    if (script.functions.length > 0) this.#changesShell = true
    const wrong = residueRuns(text, rest) ?? functionsMultiply(script, hasRule)
    if (wrong !== null) this.#add('', notKnown(wrong, 'executes'), place)
    const isOuter = !repeats && place === undefined && !leavesBackground(rest)
    if (repeats && leavesProcesses(rest))
      this.#add('', notKnown('may start processes without end', 'executes'), place)
    for (const [index, item] of script.items.entries()) {
      if (index % itemsPerStep === itemsPerStep - 1) yield undefined
      const at = place ?? item
      if (item.kind === 'for') {
        if (!isHarmlessVariable(item.name)) this.#add('for', notKnown(`sets ${show(item.name)}`), at)
        continue
      }
      this.#repeats = repeats
      this.#parallel.begin(item.start, isOuter)
      this.#judge(item, text, at)
      const nested = this.#nested
      this.#nested = []
      const innerRepeats = this.#repeats
      for (const inner of nested) yield* this.read(inner, at, depth + 1, innerRepeats)
    }
  }

  #judge(item: Command, text: string, at: Item): void {
    const [first] = item.words
    // A stage of a pipeline is a shell of its own.
    this.#isPiped = item.input?.kind === 'pipe'
    if (first === undefined && item.assignments.length > 0 && !this.#isPiped) this.#changesShell = true
    const program = (first && textOf(first)) ?? ''
    for (const objection of this.#redirections.objections(item.redirects)) this.#add(program, objection, at)
    if (item.assignments.some(({ value }) => value === null)) this.#hasArrays = true
    const reads = program === 'read'
    for (const assignment of item.assignments)
      this.#tell(program, assignmentChanges(assignment, text, reads), at)
    if (first === undefined) return
    // A name that an expansion leaves over, a pattern or a tilde may be any program.
    this.#place = at
    const words = item.words.map(toArgument)
    if (words.some((word) => mentionsSession(headOf(word))))
      this.#add(program, notKnown('has a name that belongs to the session'), at)
    this.compounds = item.assignments.filter(({ elements }) => elements !== null).length
    const isWritten = first.parts.every(({ kind }) => kind === 'literal') && program !== ''
    const objection = isWritten
      ? this.command(words)
      : notKnown('which program runs is not known', 'executes')
    if (objection !== null)
      this.#add(program, objection, at, isWritten ? certainWords(item.words) : undefined)
  }

  command([name, ...args]: readonly Argument[]): Objection | null {
    if (name === undefined) return null
    if (name.kind !== 'text') return notKnown('which program runs is not known', 'executes')
    const base = name.text.slice(name.text.lastIndexOf('/') + 1)
    const directory = name.text.slice(0, name.text.length - base.length)
    if (!isUsualDirectory(directory)) return notKnown('is a program by its path', 'executes')
    if (!this.#isPiped && changesShell(base, args)) this.#changesShell = true
    if (this.#isAllowed(base, args)) return null
    this.#hasUnruled = true
    this.#words += args.length
    if (this.#wrappers === maxWrappers || this.#words > maxWords)
      return notKnown('programs that run programs, nested too deeply', 'executes')
    this.#wrappers++
    try {
      return checkOf(base)(args, this, base)
    } finally {
      this.#wrappers--
    }
  }

  commandWithoutPath(words: readonly Argument[]): Objection | null {
    const [name] = words
    return name === undefined || startsNoOther(baseName(headOf(name)))
      ? this.command(words)
      : notKnown('runs without PATH, and may start a program of the working directory', 'executes')
  }

  #isAllowed(program: string, args: readonly Argument[]): boolean {
    if (this.#rules.length === 0) return false
    const words = [{ kind: 'text', text: program } as const, ...args].map(wordOf)
    const rule = this.#rules.find((each) => matchRule(each, words) === 'yes')
    if (rule === undefined) return false
    const { start, end } = this.#place
    const isKnown = this.#allowed.some((each) => each.rule === rule && each.start === start)
    if (!isKnown && this.#allowed.length < maxReasons) this.#allowed.push({ rule, program, start, end })
    if (program === 'git') {
      this.#repository = true
      this.#hasGit = true
    }
    return true
  }

  script(text: string): Objection | null {
    this.#nested.push(text)
    return this.#parallel.startShell()
  }

  severalAtATime(): Objection | null {
    return this.#parallel.start()
  }

  noteRepeated(): void {
    this.#repeats = true
    this.#parallel.noteRepeated()
  }

  noteRepository(): void {
    this.#readsRepository = true
  }

  noteGit(): void {
    this.#hasGit = true
  }

  noteArray(): void {
    this.#hasArrays = true
  }

  noteOpenLocal(): void {
    this.#hasOpenLocal = true
  }

  noteOtherDirectory(): void {
    this.#isElsewhere = true
  }

  #tell(program: string, objection: Objection | null, at: Item): void {
    if (objection !== null) this.#add(program, objection, at)
  }

  /** Both readers find the same: it is told once. */
  #add(program: string, objection: Objection, at: Item | undefined, words?: readonly string[]): void {
    const { start, end } = at ?? { start: 0, end: this.#text.length }
    const key = `${start} ${objection.why}`
    if (this.#seen.has(key) || this.#found.length >= maxReasons) return
    this.#seen.add(key)
    this.#found.push({ ...objection, program, words, start, end })
  }
}
