// From what was found in a command to the decision about it. The first judgement loads it, and the parsers with it.

import { findFirst } from '../safety/checker.js'
import type { SafetyRule } from '../safety/rule.js'
import { safetyRules } from '../safety/rules/table.js'
import type { Span } from '../safety/script/script.js'
import { runAsync, runSync } from '../safety/script/steps.js'
import type { ResolvedJudgeOptions } from './judge-options.js'
import type { Decision, Judgement, Reason } from './judgement.js'
import type { LoadedRule } from './policy/policy.js'
import { type RuleFinding, RuleFindings } from './rule-findings.js'
import { type DiscardNote, noteDiscard } from './rules/discard.js'
import { gitDiscard, pipeToShell } from './rules/names.js'
import { findPiped } from './rules/pipe-to-shell.js'
import { type Allowed, type Findings, type Found, findObjections, maxReasons } from './script-judge.js'
import { show } from './show.js'
import { suggest } from './suggestion.js'

/** Characters. A longer command is judged without holding up the event loop: each of them is read twice. */
const longCommand = 512

export function judgeText(command: string, options: ResolvedJudgeOptions): Judgement | Promise<Judgement> {
  const examined = examine(command, options)
  return examined instanceof Promise ? examined.then(({ judgement }) => judgement) : examined.judgement
}

export interface ExamineOptions extends ResolvedJudgeOptions {
  /** The directory of the conversation. Default: `workingDir`. */
  contextDir?: string | undefined
  /** Default: those of the project. The policy switches some of them off. */
  safety?: readonly SafetyRule[]
  /** As that of `checkCommand`. */
  hasVariable?: ((name: string) => boolean) | undefined
}

/** A judgement, with what who runs the command needs to know besides. */
export interface Examined {
  judgement: Judgement
  /** Whether it is allowed because all of its commands are known to only read: no rule of a host had to say so. */
  isReading: boolean
  /** Whether one of its commands that no rule of a host allows may run what the configuration of a repository names. */
  readsRepository: boolean
  /** Whether it has a command that no rule of a host allows. */
  hasUnruled: boolean
  /** Whether it may leave something to later commands of the same shell, such as another directory. */
  changesShell: boolean
}

/** @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails */
export function examine(command: string, options: ExamineOptions): Examined | Promise<Examined> {
  const { workingDir, home, contextDir, policy, hasVariable, safety: rules = safetyRules } = options
  const steps = findObjections(command, workingDir, policy.rules.filter(allows))
  const applies = (name: string) => !policy.off.includes(name)
  const safety = rules.filter(({ name }) => applies(name))
  const ruled = new RuleFindings(
    safety,
    policy.rules.filter((rule) => !allows(rule)),
    applies(gitDiscard),
  )
  const asked = both(
    ask(ruled, command, { workingDir, contextDir, home, hasVariable }),
    applies(pipeToShell)
      ? findPiped(command, { workingDir, home }, (piped) => ruled.addPiped(piped))
      : undefined,
  )
  const examinedOf = (findings: Findings): Examined => {
    const judgement = judgementOf(command, findings, ruled.found, options)
    const isReading = judgement.decision === 'allow' && findings.allowed.length === 0
    const { changesShell, readsRepository, hasUnruled } = findings
    return { judgement, isReading, changesShell, readsRepository, hasUnruled }
  }
  if (command.length <= longCommand && asked === undefined) return examinedOf(runSync(steps))
  return Promise.all([runAsync(steps), asked]).then(([findings]) => examinedOf(findings))
}

/** Whether the rule alone would decide about one of the commands of a short text. */
export function isMatched(rule: LoadedRule, command: string): boolean {
  if (allows(rule)) return runSync(findObjections(command, '/', [rule])).allowed.length > 0
  const certain = new RuleFindings([], [{ ...rule, decision: 'deny' }])
  ask(certain, command, { workingDir: '/', home: '/' }, Number.POSITIVE_INFINITY)
  return certain.found.some(({ decision }) => decision === 'deny')
}

const allows = ({ decision }: LoadedRule): boolean => decision === 'allow'

/**
 * @param longest characters of a command about which it is asked at once
 * @returns a promise for a longer one
 */
function ask(
  rule: RuleFindings,
  command: string,
  {
    hasVariable = isInEnvironment,
    ...place
  }: Pick<ExamineOptions, 'workingDir' | 'contextDir' | 'home' | 'hasVariable'>,
  longest = longCommand,
): Promise<unknown> | undefined {
  const onUnread = () => rule.noteUnread({ start: 0, end: command.length })
  const options = { ...place, rules: [rule], lastRules: [], hasVariable, onUnread }
  const found = findFirst(command, options, longest)
  return found instanceof Promise ? found : undefined
}

const isInEnvironment = (name: string) => Boolean(process.env[name])

/** Undefined where both are. */
const both = (one: Promise<unknown> | undefined, other: Promise<unknown> | undefined) =>
  one === undefined && other === undefined ? undefined : Promise.all([one, other])

function judgementOf(
  command: string,
  findings: Findings,
  ruled: readonly RuleFinding[],
  { default: otherwise }: ResolvedJudgeOptions,
): Judgement {
  const { found, allowed, repository } = findings
  const decisions: Decision[] = ['allow']
  const reasons: Reason[] = []
  // Those that deny first: there may be too many to name.
  for (const each of [...ruled].sort(byDecision)) {
    // What somebody may have meant is refused where nobody can be asked.
    decisions.push(each.isBuiltIn && each.decision === 'ask' ? otherwise : each.decision)
    const reason = reasonOf(command, { ...each, isSentence: each.isBuiltIn })
    if (each.discards !== undefined) noteDiscard(reason, discardNoteOf(command, each, findings, ruled))
    reasons.push(reason)
  }
  for (const each of found) {
    decisions.push(otherwise)
    if (!ruled.some((rule) => tellsOf(rule, each))) reasons.push(objectionReason(command, each))
  }
  const decision = strictest.find((each) => decisions.includes(each)) ?? 'ask'
  if (decision === 'allow') reasons.push(...allowed.map((each) => reasonOf(command, allowing(each))))
  const asks = decision === 'ask' && ruled.length === 0
  const suggestion = asks ? suggest(found.map(({ words }) => words)) : null
  return { decision, reasons: reasons.slice(0, maxReasons), suggestion, repository }
}

/** Whether a rule is about the same command. */
const tellsOf = ({ rule, start, end }: RuleFinding, found: Found): boolean =>
  (found.start <= start && start < found.end) ||
  // It is about all of a pipeline.
  (rule === pipeToShell && start <= found.start && found.end <= end)

const objectionReason = (command: string, found: Found): Reason =>
  reasonOf(command, { ...found, message: found.why })

/** For a tool, which looks whether there is anything to lose. */
function discardNoteOf(
  command: string,
  finding: RuleFinding,
  { found, allowed }: Findings,
  ruled: readonly RuleFinding[],
): DiscardNote {
  const discarding = ruled.filter(({ discards }) => discards !== undefined)
  const others = ruled.filter(({ discards }) => discards === undefined)
  const here = found.filter((each) => tellsOf(finding, each))
  const toldByOthers = here.filter((each) => others.some((rule) => tellsOf(rule, each)))
  const isDiscarding = ({ start, program }: Span & { program: string }) =>
    program === 'git' && discarding.some((each) => each.start === start)
  const before = discarding.filter(({ start }) => start < finding.start)
  return {
    discards: finding.discards ?? [],
    isAlone:
      found.every((each) => each.words !== undefined && isDiscarding(each)) &&
      allowed.every(isDiscarding) &&
      before.every(({ discards }) => discards?.every(({ isInert }) => isInert)),
    ordinary: here
      .filter((each) => !toldByOthers.includes(each))
      .map((each) => objectionReason(command, each)),
    asksAnyway: toldByOthers.length > 0 || others.some(({ start }) => start === finding.start),
  }
}

const strictest: readonly Decision[] = ['deny', 'ask', 'allow']
const byDecision = (a: RuleFinding, b: RuleFinding) =>
  strictest.indexOf(a.decision) - strictest.indexOf(b.decision)

interface Told extends Span {
  rule: string
  program: string
  effect?: Reason['effect']
  message: string
  /** Whether the message stands without the command before it. */
  isSentence?: boolean
}

const allowing = ({ rule, ...rest }: Allowed): Told => ({
  ...rest,
  rule: rule.name,
  message: rule.why === undefined ? 'is allowed' : `is allowed: ${rule.why}`,
})

function reasonOf(command: string, told: Told): Reason {
  const { rule, effect = 'unknown', message, isSentence, program, start, end } = told
  const text = command.slice(start, end)
  const whole = isSentence ? message : `${show(text)}: ${message}`
  return { rule, match: { start, end, text }, program, effect, message: whole }
}
