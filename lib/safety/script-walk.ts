// One script: its commands in order, with what each is given, does to what is known, and runs.

import { askRules, type Finding } from './ask-rules.js'
import { type Budget, maxWrappers } from './budget.js'
import { assignParameters, builtins } from './builtins.js'
import {
  assignedElements,
  assignedValues,
  expandText,
  expandWord,
  type Surroundings,
  WordExpander,
} from './expansion/expand.js'
import type { Field, Origin } from './expansion/field.js'
import { outputOf } from './expansion/output.js'
import { isPattern, matches } from './glob.js'
import { firstItemOf, writesElsewhere } from './items.js'
import { baseName } from './paths.js'
import { type SafetyRule, unknownText } from './rule.js'
import { defaultSeparators, type Scope } from './scope.js'
import { inputRedirect } from './script/input.js'
import type { Assignment, Command, Item, ItemRange, Redirect, Script, Span, Word } from './script/script.js'
import { mayBeUnset, ScriptVariables } from './script-variables.js'
import type { InputText, PayloadScript } from './wrappers/payload.js'
import { wrappers } from './wrappers/table.js'

/** The text of a script, and what it runs with. */
export interface NestedScript {
  text: string
  scope: Scope
  /** Where in the original command it stands; null: it is the original command. */
  place: Span | null
  input: () => InputText | null
  /** The variables which the unknown parts of the text are, if nothing sets or tests them; null: there are others. */
  unset: readonly string[] | null
  /** Whether what runs the script leaves a variable unset. */
  leavesUnset(name: string): boolean
}

/** A command with what it runs in. */
interface Run {
  words: readonly Field[]
  scope: Scope
  input: () => InputText | null
  wrappers: number
}

/** Words between two offers to pause. */
const wordsPerStep = 512

/** `A=$UNSET; B=$A; …`: more of them are no slip. */
const maxCopies = 3

export class ScriptWalk implements Surroundings {
  /** What each item prints; null: not known. */
  private readonly outputs: (readonly string[] | null)[] = []
  private readonly rangeOutputs = new Map<string, readonly string[] | null>()
  private readonly nested: NestedScript[] = []
  private readonly variables: ScriptVariables

  constructor(
    private readonly script: Script,
    private readonly source: NestedScript,
    readonly rules: readonly SafetyRule[],
    readonly budget: Budget,
  ) {
    this.variables = new ScriptVariables(script, source.text)
  }

  get unsetInText(): readonly string[] | null {
    return this.source.unset
  }

  get scope(): Scope {
    return this.source.scope
  }

  /** The scripts that the last item runs. */
  takeNested(): readonly NestedScript[] {
    return this.nested.length > 0 ? this.nested.splice(0) : this.nested
  }

  /** Offers to pause, where an item is long. */
  *visit(index: number): Generator<undefined, Finding | null, unknown> {
    const item = this.script.items[index] as Item
    if (item.kind === 'command') return yield* this.visitCommand(item, index)
    const fields = item.words?.flatMap((word) => expandWord(word, this).flat())
    const values = fields?.map(listedName)
    this.scope.assign(item.name, values === undefined ? this.scope.values('@') : [...new Set(values)])
    return null
  }

  originOf({ start, end }: Word): Origin {
    const source = this.source.text.slice(start, end)
    const { place } = this.source
    return place === null ? { start, end, source } : { start: place.start, end: place.end, source }
  }

  leavesUnset(name: string): boolean {
    return this.isLeftUnset(name, maxCopies)
  }

  private isLeftUnset(name: string, copies: number): boolean {
    if (!mayBeUnset(name) || copies < 0) return false
    const sources = this.variables.copiedFrom(name)
    if (sources.length > 0) return sources.every((source) => this.isLeftUnset(source, copies - 1))
    if (this.scope.isAssigned(name) || !this.source.leavesUnset(name)) return false
    return !this.variables.isSetOrTested(name)
  }

  /** What the commands print together. Each has been visited before. */
  outputOf(range: ItemRange): readonly string[] | null {
    const key = `${range.from}-${range.to}`
    const known = this.rangeOutputs.get(key)
    if (known !== undefined) return known
    const outputs = this.joinOutputs(range)
    this.rangeOutputs.set(key, outputs)
    return outputs
  }

  private joinOutputs({ from, to }: ItemRange): readonly string[] | null {
    const parts: (readonly string[] | null)[] = []
    for (let index = to - 1; index >= from; ) {
      parts.push(this.outputs[index] ?? null)
      index = Math.min(index, firstItemOf(this.script.items[index] as Item, index)) - 1
    }
    if (parts.every((part) => part === null)) return null
    const [only] = parts
    if (parts.length === 1 && only) return only
    return [
      parts
        .reverse()
        .map((part) => part?.[0] ?? `${unknownText}\n`)
        .join(''),
    ]
  }

  private *visitCommand(command: Command, index: number): Generator<undefined, Finding | null, unknown> {
    const [name] = command.words
    const expander = new WordExpander(this)
    for (const [count, word] of command.words.entries()) {
      if (count % wordsPerStep === wordsPerStep - 1) yield undefined
      expander.add(word)
    }
    const expansions = expander.finish()
    let scope = this.scope
    for (const assignment of command.assignments) {
      // Before a name it is for that command only; behind it, for declare and the like, it stays.
      const isTemporary = name !== undefined && assignment.start < name.start
      if (isTemporary && scope === this.scope) scope = scope.child()
      const target = isTemporary ? scope : this.scope
      this.assign(target, assignment)
    }
    const printed: (readonly string[] | null)[] = []
    const input = () => this.inputOf(command)
    for (const words of expansions) {
      const finding = this.run({ words, scope, input, wrappers: 0 }, printed)
      if (finding !== null) return finding
    }
    this.outputs[index] = writesElsewhere(command) ? nothing : unite(printed)
    return null
  }

  private assign(scope: Scope, assignment: Assignment): void {
    const { name, append, elements } = assignment
    if (elements === null) scope.assign(name, this.valuesOf(assignment))
    else scope.assignArray(name, assignedElements(name, append, elements, this))
  }

  /** What is empty at first and set later will hardly be used while it is empty: think of a function that cleans up. */
  private valuesOf(assignment: Assignment): readonly string[] | null {
    const values = assignedValues(assignment, this)
    const isEmpty = values?.every((value) => value === '')
    return isEmpty && this.variables.isAssignedTwice(assignment.name) ? null : values
  }

  /** A command, and the commands that it runs. */
  private run(first: Run, printed: (readonly string[] | null)[]): Finding | null {
    const script = this.source.place === null ? this.source.text : undefined
    const stack = [first]
    for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
      const { words } = run
      const [name, second] = words
      if (name === undefined) continue
      const program = programOf(name)
      const finding = askRules(this.rules, program, words as [Field, ...Field[]], run.scope, script)
      if (finding !== null) return finding
      // What `D=x cd y` changes is known to the script, too.
      builtins.get(program)?.({
        words,
        scope: this.scope,
        separators: run.scope.separators,
        input: run.input,
      })
      const unwrap = wrappers.get(program)
      const payloads = unwrap?.({
        ...run,
        words: words as [Field, ...Field[]],
        outputOf: (range) => this.outputOf(range),
        budget: this.budget,
      })
      if (payloads === undefined || payloads.length === 0) printed.push(this.outputOfCall(program, run))
      for (const payload of payloads?.toReversed() ?? []) {
        if (payload.kind === 'script') {
          this.addNested(payload, run)
          printed.push(null)
        } else if (run.wrappers < maxWrappers) {
          stack.push({
            ...run,
            words: payload.words,
            scope: run.scope.with(payload.assignments ?? []),
            wrappers: run.wrappers + 1,
          })
        }
      }
      // `$SUDO rm x`: whatever it is, the rest is likely to be run.
      if (name.mayVanish && second !== undefined)
        stack.push({ ...run, words: words.slice(1), wrappers: run.wrappers + 1 })
    }
    return null
  }

  private outputOfCall(program: string, { words, scope, input }: Run): readonly string[] | null {
    const output = outputOf(program, { words: words.slice(1), scope, input: () => input()?.texts ?? null })
    this.budget.text -= output?.reduce((sum, { length }) => sum + length, 0) ?? 0
    return this.budget.text < 0 ? null : output
  }

  private addNested({ texts, shell, parameters, unset = null, start, end }: PayloadScript, run: Run): void {
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
        place: this.source.place ?? { start, end },
        input: run.input,
        unset,
        leavesUnset: (name) => shell === 'elsewhere' || this.leavesUnset(name),
      })
    }
  }

  /** What a command may read from its standard input. */
  private inputOf(command: Command): InputText | null {
    const redirect = inputRedirect(command.redirects)
    const read = redirect === null ? this.outerInput(command) : this.redirected(redirect)
    this.budget.text -= read?.texts.reduce((sum, { length }) => sum + length, 0) ?? 0
    return this.budget.text < 0 ? null : read
  }

  private outerInput({ input }: Command): InputText | null {
    if (input === null) return this.source.input()
    if (input.kind === 'redirect') return this.redirected(input.redirect)
    const { from, to } = input.items
    const texts = to <= this.outputs.length ? this.outputOf(input.items) : null
    if (texts === null) return null
    const first = this.script.items[from] as Item
    const last = this.script.items[to - 1] as Item
    return { texts, ...(this.source.place ?? { start: first.start, end: last.end }) }
  }

  private redirected({ operator, target }: Redirect): InputText | null {
    const { start, end } = this.source.place ?? target
    const [part] = target.parts
    switch (operator) {
      case '<<':
      case '<<-':
        return { texts: expandText(target, this), start, end }
      case '<<<':
        return { texts: expandText(target, this).map((text) => `${text}\n`), start, end }
      case '<': {
        const texts = part?.kind === 'substitution' && part.process ? this.outputOf(part.items) : null
        return texts === null ? null : { texts, start, end }
      }
      default:
        return null
    }
  }
}

/** One of the names that a pattern stands for is not known, unless its last component is. */
function listedName({ text, pattern }: Field): string {
  return pattern === null || !isPattern(baseName(pattern)) ? text : unknownText
}

const nothing: readonly string[] = ['']

/** What is printed one way or another; null: not known. */
function unite(outputs: readonly (readonly string[] | null)[]): readonly string[] | null {
  if (outputs.length === 0) return nothing
  const [first] = outputs
  if (outputs.length === 1 && first !== undefined) return first
  return outputs.includes(null) ? null : [...new Set(outputs.flatMap((output) => output ?? []))]
}

/** Programs that rules are about, and whose names a pattern may match: `/bin/r?` */
const patternPrograms = ['rm', 'git']

function programOf({ text, pattern }: Field): string {
  const name = baseName(pattern ?? text)
  if (pattern === null) return name
  return patternPrograms.find((program) => matches(name, program)) ?? name
}
