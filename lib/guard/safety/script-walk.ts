// Goes through the commands of one script in order: what each is given, what it changes, and what it runs.

import { hasArrived } from './arrival.js'
import { type Budget, maxWrappers } from './budget.js'
import { assignParameters, builtins } from './builtins.js'
import { assignedElements, expandWord, expandWords } from './expansion/expand.js'
import type { Field, Origin } from './expansion/field.js'
import { outputs } from './expansion/output.js'
import { assignedValues, type Surroundings } from './expansion/values.js'
import { isPattern, matches } from './glob.js'
import { baseName } from './paths.js'
import { askRules, type Finding, type SafetyRule, unknownText } from './rule.js'
import { defaultSeparators, type Scope } from './scope.js'
import {
  type Assignment,
  type Command,
  type ForLoop,
  type Item,
  type ItemRange,
  type Script,
  type Span,
  spanOf,
  type Word,
} from './script/script.js'
import { inputOf, joinOutputs, type Output } from './script-streams.js'
import { mayBeUnset, ScriptVariables } from './script-variables.js'
import type { Runner, Watch, WatchedCommand } from './watch.js'
import type { InputText, PayloadScript } from './wrappers/payload.js'
import { wrappers } from './wrappers/table.js'

/** The text of a script, and what it runs with. */
export interface NestedScript {
  text: string
  scope: Scope
  /** Where in the original command it stands; undefined: it is the original command. */
  place: Span | undefined
  input: () => InputText | undefined
  /** What runs it; undefined for the original command. */
  runner: Runner | undefined
  /** The variables which the unknown parts of the text are, if nothing sets or tests them. */
  unset: readonly string[] | undefined
  /** Whether what runs the script leaves a variable unset. */
  leavesUnset(name: string): boolean
}

/** What the scripts of a command are examined with. */
export interface Examination {
  rules: readonly SafetyRule[]
  budget: Budget
  watch: Watch | undefined
}

/** A command with what it runs in. */
interface Run {
  words: readonly Field[]
  scope: Scope
  input: () => InputText | undefined
  wrappers: number
}

/** Words of a command that takes long. */
const manyWords = 1000

/** `A=$UNSET; B=$A; …`: how many copies are followed. */
const maxCopies = 3

export class ScriptWalk implements Surroundings {
  readonly scope: Scope
  readonly unsetInText: readonly string[] | undefined
  readonly budget: Budget
  /** The scripts that items run; whoever goes through the items takes them out. */
  readonly nested: NestedScript[] = []
  readonly #rules: readonly SafetyRule[]
  readonly #watch: Watch | undefined
  readonly #script: Script
  readonly #source: NestedScript
  /** What each item prints. */
  readonly #outputs: Output[] = []
  readonly #rangeOutputs = new Map<string, Output>()
  #readVariables: ScriptVariables | undefined

  constructor(script: Script, source: NestedScript, { rules, budget, watch }: Examination) {
    this.scope = source.scope
    this.unsetInText = source.unset
    this.budget = budget
    this.#rules = rules
    this.#watch = watch
    this.#script = script
    this.#source = source
  }

  /** Offers to pause, where an item is long. */
  *visit(item: Item, index: number): Generator<undefined, Finding | undefined, unknown> {
    if (item.kind === 'for') {
      this.#enterLoop(item)
      return undefined
    }
    const [name] = item.words
    const expansions = yield* expandWords(item.words, this)
    let { scope } = this
    for (const assignment of item.assignments) {
      // Before a name it is for that command only; behind it, for declare and the like, it stays.
      const isTemporary = name !== undefined && assignment.start < name.start
      if (isTemporary && scope === this.scope) scope = scope.child()
      this.#assign(isTemporary ? scope : this.scope, assignment)
    }
    const printed: Output[] = []
    const input = () => this.#inputOf(item)
    for (const words of expansions) {
      const finding = yield* this.#run({ words, scope, input, wrappers: 0 }, printed, index)
      if (finding !== undefined) return finding
    }
    this.#outputs[index] = writesElsewhere(item) ? nothing : unite(printed)
    return undefined
  }

  originOf({ start, end }: Word): Origin {
    const source = this.#source.text.slice(start, end)
    const { place } = this.#source
    return place === undefined ? { start, end, source } : { start: place.start, end: place.end, source }
  }

  /** What the commands print together. */
  outputOf(range: ItemRange): Output {
    // Not visited yet.
    if (range.to > this.#outputs.length) return undefined
    const key = `${range.from}-${range.to}`
    if (!this.#rangeOutputs.has(key)) {
      this.#rangeOutputs.set(key, joinOutputs(this.#script.items, this.#outputs, range))
    }
    return this.#rangeOutputs.get(key)
  }

  leavesUnset(name: string): boolean {
    return this.#isLeftUnset(name, maxCopies)
  }

  #isLeftUnset(name: string, copies: number): boolean {
    if (!mayBeUnset(name) || copies < 0) return false
    const sources = this.#variables.copiedFrom(name)
    if (sources.length > 0) return sources.every((source) => this.#isLeftUnset(source, copies - 1))
    if (this.scope.isAssigned(name) || !this.#source.leavesUnset(name)) return false
    return !this.#variables.isSetOrTested(name)
  }

  get #variables(): ScriptVariables {
    this.#readVariables ??= new ScriptVariables(this.#script, this.#source.text)
    return this.#readVariables
  }

  #enterLoop({ name, words }: ForLoop): void {
    const fields = words?.flatMap((word) => expandWord(word, this).flat())
    const values = fields?.map(listedName)
    this.scope.assign(name, values === undefined ? this.scope.values('@') : [...new Set(values)])
  }

  #assign(scope: Scope, assignment: Assignment): void {
    const { name, append, elements } = assignment
    if (elements) {
      scope.assignArray(name, assignedElements(name, append, elements, this))
      return
    }
    const values = assignedValues(assignment, this)
    // A variable that is empty at first and set later is hardly used while empty, as in a function that cleans up.
    const isEmpty = values?.every((value) => value === '')
    scope.assign(name, isEmpty && this.#variables.isAssignedTwice(name) ? undefined : values)
  }

  /** A command, and the commands that it runs. */
  *#run(first: Run, printed: Output[], index: number): Generator<undefined, Finding | undefined, unknown> {
    const { place, text } = this.#source
    const stack = [first]
    for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
      const { scope, input } = run
      const [name, ...args] = run.words
      if (name === undefined) continue
      if (args.length >= manyWords) yield undefined
      const words = [name, ...args] as const
      const program = programOf(name)
      const finding = askRules(this.#rules, {
        program,
        words,
        workingDir: scope.workingDir ?? null,
        startDir: scope.startDir,
        contextDir: scope.contextDir,
        home: scope.home ?? null,
        ...(place === undefined && { script: text, hasArrived: () => hasArrived(this.#script, text, index) }),
      })
      if (finding !== undefined) return finding
      const outputOf = (range: ItemRange) => this.outputOf(range)
      const watched = { program, words, runner: this.#source.runner, input, outputOf }
      this.#watch?.visit(watched)
      // What `D=x cd y` changes is known to the script, too.
      builtins.get(program)?.({ words, scope: this.scope, separators: scope.separators, input })
      const { budget } = this
      const payloads = wrappers.get(program)?.({ words, scope, input, outputOf, budget }) ?? []
      if (payloads.length === 0) {
        const call = { words: args, scope, input: () => input()?.texts }
        printed.push(this.#afford(outputs.get(program)?.(call) ?? this.#watch?.output(watched)))
      }
      for (const payload of payloads.toReversed()) {
        if (payload.kind === 'script') {
          this.#addNested(payload, run, watched)
          printed.push(undefined)
        } else if (this.#affordWrapper(run, payload.words)) {
          stack.push({
            words: payload.words,
            scope: scope.with(payload.assignments ?? []),
            input,
            wrappers: run.wrappers + 1,
          })
        }
      }
      // `$SUDO rm x`: whatever it is, the rest is likely to be run.
      if (name.mayVanish && args.length > 0 && this.#affordWrapper(run, args)) {
        stack.push({ ...run, words: args, wrappers: run.wrappers + 1 })
      }
    }
    return undefined
  }

  /** Whether what a wrapper runs can be looked at: each copies the words. */
  #affordWrapper({ wrappers }: Run, words: readonly Field[]): boolean {
    this.budget.words -= words.length
    const canAfford = wrappers < maxWrappers && this.budget.words >= 0
    if (!canAfford) this.budget.onUnread?.()
    return canAfford
  }

  #inputOf(command: Command): InputText | undefined {
    const read = inputOf(command, this.#script.items, this.#source, this)
    return this.#afford(read?.texts) && read
  }

  /** The texts, if the budget has room for them. */
  #afford(texts: Output): Output {
    for (const { length } of texts ?? []) this.budget.text -= length
    return this.budget.text < 0 ? undefined : texts
  }

  #addNested(
    { texts, shell, parameters, unset, start, end }: PayloadScript,
    run: Run,
    { program, words }: WatchedCommand,
  ): void {
    const runner = { ...(this.#source.runner ?? spanOf(words)), program }
    for (const text of texts) {
      if (text.trim() === '' || text.trim() === unknownText) continue
      const scope =
        shell === 'same' ? run.scope : shell === 'child' ? run.scope.child() : run.scope.elsewhere()
      if (shell === 'child') scope.assign('IFS', [defaultSeparators])
      if (parameters !== undefined) {
        scope.assign('0', parameters.slice(0, 1))
        assignParameters(scope, parameters.slice(1))
      }
      this.nested.push({
        text,
        scope,
        place: this.#source.place ?? { start, end },
        input: run.input,
        runner,
        unset,
        leavesUnset: (name) => shell === 'elsewhere' || this.leavesUnset(name),
      })
    }
  }
}

/** Which of the names that a pattern stands for is not known, unless its last component is. */
function listedName({ text, pattern }: Field): string {
  return pattern === null || !isPattern(baseName(pattern)) ? text : unknownText
}

const nothing: readonly string[] = ['']

/** What is printed in one case or another. */
function unite(outputs: readonly Output[]): Output {
  if (outputs.length === 0) return nothing
  if (outputs.length === 1) return outputs[0]
  return outputs.includes(undefined) ? undefined : [...new Set(outputs.flatMap((output) => output ?? []))]
}

/** Whether its standard output goes elsewhere than the script's. */
function writesElsewhere({ redirects }: Command): boolean {
  return redirects.some(
    ({ descriptor, operator }) =>
      (descriptor ?? 1) === 1 && (operator.startsWith('>') || operator.startsWith('&>')),
  )
}

/** Programs that rules are about, and whose names a pattern may match: `/bin/r?` */
const patternPrograms = ['rm', 'git']

function programOf({ text, pattern }: Field): string {
  const name = baseName(pattern ?? text)
  if (pattern === null) return name
  return patternPrograms.find((program) => matches(name, program)) ?? name
}
