// What the rules say of the commands of a text, those of the project and those of a policy that ask or deny: behind any
// wrapper, in scripts of scripts, and with the values that the text gives to variables.

import { baseName } from '../safety/paths.js'
import { type Argument, askRules, type CheckedCommand, type SafetyRule, unknownText } from '../safety/rule.js'
import type { Span } from '../safety/script/script.js'
import type { Decision } from './judgement.js'
import { type Answer, type KnownWord, matchBehindOptions } from './policy/match-rule.js'
import type { LoadedRule } from './policy/policy.js'
import { maxReasons } from './script-judge.js'
import { show } from './show.js'

/** What a rule says of a command. */
export interface RuleFinding extends Span {
  /** Its name. */
  rule: string
  /** Whether that is a safety rule: its message is of whole sentences. */
  isSafety: boolean
  decision: Exclude<Decision, 'allow'>
  program: string
  message: string
}

/** Rules about what somebody may well have meant: a person can say so. */
const asking = ['git-add-blind']

/** Asked about each command, it notes what the others say, and objects to none: so all commands are seen. */
export class RuleFindings implements SafetyRule {
  readonly name = 'policy'
  readonly found: RuleFinding[] = []
  readonly #safety: readonly SafetyRule[]
  readonly #rules: readonly LoadedRule[]
  /** By the name of the program: there may be thousands. */
  readonly #byProgram = new Map<string, LoadedRule[]>()

  /** @param rules that ask or deny */
  constructor(safety: readonly SafetyRule[], rules: readonly LoadedRule[]) {
    this.#safety = safety
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
        isSafety: true,
        decision: asking.includes(finding.rule) ? 'ask' : 'deny',
      })
    }
    if (this.#rules.length > 0) this.#askPolicy(command)
    return null
  }

  explain(): string {
    return ''
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
    for (const rule of rules) {
      const answer = answerOf(rule, words, open)
      if (answer === 'no') continue
      const decision = answer === 'yes' && rule.decision === 'deny' ? 'deny' : 'ask'
      const does = { ask: 'asks', deny: 'is denied' }[decision]
      const about = show(rule.prefix.map(([text = '']) => text).join(' '))
      const what = answer === 'yes' ? does : `may be ${about}, and so asks`
      const message = rule.why === undefined ? what : `${what}: ${rule.why}`
      this.#add({ rule: rule.name, isSafety: false, decision, program, message, ...spanOf([name, ...rest]) })
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

function spanOf(words: readonly Span[]): Span {
  return {
    start: Math.min(...words.map(({ start }) => start)),
    end: Math.max(...words.map(({ end }) => end)),
  }
}
