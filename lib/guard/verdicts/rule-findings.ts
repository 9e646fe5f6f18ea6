// What the rules say of the commands of a text, those of the project and those of a policy that ask or deny: behind any
// wrapper, in scripts of scripts, and with the values that the text gives to variables.

import { baseName } from '../safety/paths.js'
import { type Argument, askRules, type CheckedCommand, type SafetyRule, unknownText } from '../safety/rule.js'
import { type Span, spanOf } from '../safety/script/script.js'
import type { Decision, Effect } from './judgement.js'
import { type Answer, type KnownWord, matchBehindOptions } from './policy/match-rule.js'
import type { LoadedRule } from './policy/policy.js'
import type { Discard } from './rules/discard.js'
import { findDiscard, unknownDiscard } from './rules/git-discard.js'
import { gitDiscard, pipeToShell } from './rules/names.js'
import type { Piped } from './rules/pipe-to-shell.js'
import { maxReasons } from './script-judge.js'
import { show } from './show.js'

/** What a rule says of a command. */
export interface RuleFinding extends Span {
  /** Its name. */
  rule: string
  /** Whether that is a rule of the project: its message is of whole sentences. */
  isBuiltIn: boolean
  decision: Exclude<Decision, 'allow'>
  effect?: Effect
  program: string
  message: string
  /** What git would discard, for each of the values that the words may have. */
  discards?: readonly Discard[]
}

/** Rules about what somebody may well have meant: a person can say so. */
const asking = ['git-add-blind']

/** Asked about each command, it notes what the others say, and objects to none: so all commands are seen. */
export class RuleFindings implements SafetyRule {
  readonly name = 'policy'
  readonly found: RuleFinding[] = []
  readonly #safety: readonly SafetyRule[]
  readonly #rules: readonly LoadedRule[]
  readonly #asksAboutDiscards: boolean
  /** By the name of the program: there may be thousands. */
  readonly #byProgram = new Map<string, LoadedRule[]>()

  /**
   * @param rules that ask or deny
   * @param asksAboutDiscards whether the rule `git-discard` applies
   */
  constructor(safety: readonly SafetyRule[], rules: readonly LoadedRule[], asksAboutDiscards = false) {
    this.#safety = safety
    this.#asksAboutDiscards = asksAboutDiscards
    this.#rules = rules
    for (const rule of rules) {
      for (const program of new Set(rule.prefix[0])) {
        const same = this.#byProgram.get(program)
        if (same === undefined) this.#byProgram.set(program, [rule])
        else same.push(rule)
      }
    }
  }

  applies(command: CheckedCommand): null {
    const { program } = command
    const finding = askRules(this.#safety, command)
    if (finding !== undefined) {
      this.#add({
        ...finding,
        program,
        isBuiltIn: true,
        effect: 'writes',
        decision: asking.includes(finding.rule) ? 'ask' : 'deny',
      })
    }
    if (this.#asksAboutDiscards) this.#askAboutDiscards(command)
    if (this.#rules.length > 0) this.#askPolicy(command)
    return null
  }

  /** A program from the network that is run unread. */
  addPiped(piped: Piped): void {
    this.#add({ ...piped, rule: pipeToShell, isBuiltIn: true, decision: 'deny', effect: 'executes' })
  }

  /** Some of the commands in the span were left out. */
  noteUnread(span: Span): void {
    if (this.#rules.length === 0) return
    const message = 'runs more than the rules could be asked about'
    this.#add({ rule: 'policy', isBuiltIn: false, decision: 'ask', program: '', message, ...span })
  }

  explain(): string {
    return ''
  }

  #askAboutDiscards(command: CheckedCommand): void {
    const found = findDiscard(command)
    if (found === undefined) return
    const { message, discard } = found
    this.#add({
      rule: gitDiscard,
      isBuiltIn: true,
      decision: 'ask',
      effect: 'writes',
      program: command.program,
      message,
      discards: [discard],
      ...spanOf(command.words),
    })
  }

  #askPolicy({ program, words: [name, ...rest] }: CheckedCommand): void {
    const first = wordOf(name)
    first.head = baseName(first.head)
    // It may be any: that asks in any case, and each of the rules would have to be named.
    if (!first.isWhole && first.head === '') return
    const [, sub] = first.isWhole ? (/^git-(.+)$/s.exec(first.head) ?? []) : []
    const called = sub === undefined ? [first] : [wholeWord('git'), wholeWord(sub)]
    const words = [...called, ...rest.map(wordOf)]
    // Which value a variable has may depend on what another command does.
    const open = [
      ...called,
      ...rest.map((word) => (isExpanded.test(word.source) ? openWord(word) : wordOf(word))),
    ]
    const rules = first.isWhole ? (this.#byProgram.get((called[0] ?? first).head) ?? []) : this.#rules
    const span = spanOf([name, ...rest])
    for (const rule of rules) {
      const answer = answerOf(rule, words, open)
      if (answer === 'no') continue
      const decision = answer === 'yes' && rule.decision === 'deny' ? 'deny' : 'ask'
      const does = { ask: 'asks', deny: 'is denied' }[decision]
      const about = show(rule.prefix.map(([text = '']) => text).join(' '))
      const what = answer === 'yes' ? does : `may be ${about}, and so asks`
      const message = rule.why === undefined ? what : `${what}: ${rule.why}`
      this.#add({ rule: rule.name, isBuiltIn: false, decision, program, message, ...span })
    }
  }

  /** Several values of a variable make several commands in the same place. */
  #add(finding: RuleFinding): void {
    const index = this.found.findIndex(({ rule, start, end }) => {
      return rule === finding.rule && start === finding.start && end === finding.end
    })
    const same = this.found[index]
    if (same === undefined && this.found.length < maxReasons) this.found.push(finding)
    else if (finding.decision === 'deny' && same?.decision !== 'deny') {
      // Of too many, the strictest counts.
      this.found[same === undefined ? 0 : index] = finding
    } else if (same?.discards !== undefined && finding.discards !== undefined) {
      same.discards = joinedDiscards(same.discards, finding.discards)
    }
  }
}

function answerOf(rule: LoadedRule, words: readonly KnownWord[], open: readonly KnownWord[]): Answer {
  const answer = matchBehindOptions(rule, words)
  if (answer !== 'no') return answer
  return matchBehindOptions(rule, open) === 'no' ? 'no' : 'perhaps'
}

const isExpanded = /[$`]/
const wholeWord = (head: string): KnownWord => ({ head, isWhole: true, several: false })

/** A word of which only the text before its first expansion counts. */
function openWord({ source }: Argument): KnownWord {
  const [, head = ''] = /^"?([\w./:=@%+,-]*)[$`]/.exec(source) ?? []
  return { head, isWhole: false, several: !/^"[^"]*"$/.test(source) }
}

function wordOf({ text, pattern, source }: Argument): KnownWord {
  if (pattern !== null) {
    return { head: pattern.replace(/[*?[\\].*$/s, ''), isWhole: false, several: true }
  }
  const at = text.indexOf(unknownText)
  if (at === -1) return { head: text, isWhole: true, several: false }
  return { head: text.slice(0, at), isWhole: false, several: !/^"[^"]*"$/.test(source) }
}

/** Places that a tool looks at for one command. */
const maxDiscards = 4

/** Of more, none is known. */
const joinedDiscards = (some: readonly Discard[], more: readonly Discard[]): readonly Discard[] =>
  some.length + more.length > maxDiscards ? [unknownDiscard] : [...some, ...more]
