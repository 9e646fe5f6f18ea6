// From what was found in a command to the decision about it. The first judgement loads it, and the parsers with it.

import { findFirst } from '../safety/checker.js'
import type { ResolvedCheckOptions } from '../safety/options.js'
import type { Finding } from '../safety/rule.js'
import { safetyRules } from '../safety/rules/table.js'
import { runAsync, runSync } from '../safety/script/steps.js'
import type { ResolvedJudgeOptions } from './judge-command.js'
import type { Decision, Judgement, Reason } from './judgement.js'
import { type Findings, type Found, findObjections, maxReasons } from './script-judge.js'
import { show } from './show.js'

/** Characters. A longer command is judged without holding up the event loop. */
const longCommand = 4096

/** Rules about what somebody may well have meant: a person can say so. */
const asking = ['git-add-blind']

export function judgeText(command: string, options: ResolvedJudgeOptions): Judgement | Promise<Judgement> {
  const steps = findObjections(command, options.workingDir)
  const refusal = findFirst(command, rulesFor(options))
  if (command.length <= longCommand && !(refusal instanceof Promise)) {
    return judgementOf(command, runSync(steps), refusal, options)
  }
  return Promise.all([runAsync(steps), refusal]).then(([findings, finding]) =>
    judgementOf(command, findings, finding, options),
  )
}

const rulesFor = ({ workingDir, home }: ResolvedJudgeOptions): ResolvedCheckOptions => ({
  workingDir,
  home,
  rules: safetyRules,
  lastRules: [],
  hasVariable: (name) => Boolean(process.env[name]),
})

function judgementOf(
  command: string,
  { found, repository }: Findings,
  refusal: Finding | undefined,
  { default: otherwise }: ResolvedJudgeOptions,
): Judgement {
  const reasons: Reason[] = []
  let decision: Decision = found.length > 0 ? otherwise : 'allow'
  const isRefused = ({ start, end }: Found) =>
    refusal !== undefined && start <= refusal.start && refusal.start < end
  if (refusal !== undefined) {
    const { rule, message, start, end } = refusal
    if (!asking.includes(rule)) decision = 'deny'
    else if (decision === 'allow') decision = otherwise
    const match = { start, end, text: command.slice(start, end) }
    const program = found.find(isRefused)?.program ?? ''
    reasons.push({ rule, match, program, effect: 'writes', message })
  }
  for (const each of found) if (!isRefused(each)) reasons.push(reasonOf(command, each))
  return { decision, reasons: reasons.slice(0, maxReasons), repository }
}

function reasonOf(command: string, { rule, effect, why, program, start, end }: Found): Reason {
  const text = command.slice(start, end)
  return { rule, match: { start, end, text }, program, effect, message: `${show(text)}: ${why}` }
}
