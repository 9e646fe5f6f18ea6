// Whether the command of a call may run, and how: loaded with the first call of a tool that has `verdicts`.

import { notify } from '../../base/util/listeners.js'
import { part } from '../../base/util/load-part.js'
import type { BashResult } from '../../commands/run/result.js'
import type { Judgement, Reason } from '../../guard/verdicts/judgement.js'
import { hasDiscards } from '../../guard/verdicts/rules/discard.js'
import type { Call, Pass, Plan } from '../call/call.js'
import { unlessAborted } from '../call/check-safety.js'
import { cancelled, refused } from '../call/not-run.js'
import { ask } from './ask.js'
import { decide, isShellAsMade, readingPlan } from './decide.js'
import type * as Losses from './losses.js'
import type { Verdicts } from './options.js'

export { repeatWithGrants } from './repeat.js'
export { judgeTyped, permitTyped, type TypedInput, type TypedRefusal } from './typed.js'

/** @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails */
export async function judge(call: Call, verdicts: Verdicts, plan: Plan): Promise<Judgement> {
  return (await decide(call, verdicts, plan)).judgement
}

/**
 * Asks a person where the judgement does.
 *
 * @returns a result for a command that may not run: `rejected`, or `cancelled`
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
export async function permit(
  call: Call,
  verdicts: Verdicts,
  plan: Plan,
): Promise<Pass | { refused: BashResult }> {
  const { command, cancel, isApproved } = call
  const decided = cancel?.aborted ? undefined : await unlessAborted(decide(call, verdicts, plan), cancel)
  if (decided === undefined) return { refused: cancelled(call, plan) }
  const { reading, takes, dropsChanges } = decided
  const mayRun = (judgement: Judgement): Pass => ({
    judgement,
    plan: reading ?? plan,
    readConfined: reading !== undefined,
    takes,
    ...(dropsChanges && { dropsChanges }),
  })
  const { decision } = decided.judgement
  if (decision === 'deny') return { refused: denied(call, plan, decided.judgement) }
  if (decision === 'allow' || isApproved) return mayRun(decided.judgement)
  const { approve, onRemember } = verdicts
  if (approve === undefined) return { refused: unasked(call, plan, decided.judgement) }
  const judgement = await withLosses(call, plan, decided.judgement)
  const { workingDir } = plan
  const asked = await ask(approve, call, { kind: 'command', command, workingDir, judgement })
  switch (asked.answer) {
    case 'cancelled':
      return { refused: cancelled(call, plan, judgement) }
    case 'failed':
      return { refused: needsApproval(call, plan, judgement, asked.why) }
    case 'deny':
      return { refused: notApproved(call, plan, judgement, asked.why) }
    case 'always':
      for (const prefix of judgement.suggestion ?? []) {
        notify((rule) => onRemember?.(rule, call.given), { prefix, decision: 'allow' } as const)
      }
      return mayRun(judgement)
    case 'once':
      return mayRun(judgement)
  }
}

/** @returns a result for a command that a rule denies; one that asks is not looked at any further */
export async function refuseDenied(
  call: Call,
  verdicts: Verdicts,
  plan: Plan,
): Promise<BashResult | undefined> {
  const { judgement } = await decide(call, verdicts, plan)
  return judgement.decision === 'deny' ? denied(call, plan, judgement) : undefined
}

/** With what git would discard. A shell with variables and functions of its own may run another git elsewhere. */
async function withLosses(call: Call, plan: Plan, judgement: Judgement): Promise<Judgement> {
  if (!hasDiscards(judgement)) return judgement
  const { options } = readingPlan(call, plan)
  const place = isShellAsMade(call, plan) ? { options, cancel: call.cancel } : undefined
  return await losses().tellLosses(judgement, place)
}

/** Few commands discard anything. */
const losses = part((): typeof Losses => require('./losses.js'))

function denied(call: Call, plan: Plan, judgement: Judgement): BashResult {
  const { reasons } = judgement
  const rule = reasons[0]?.rule ?? 'not-known-to-read'
  return rejected(call, plan, judgement, { rule, message: linesOf(reasons) })
}

/** Where nobody can be asked, what a safety rule is about is what it would be without verdicts. */
function unasked(call: Call, plan: Plan, judgement: Judgement): BashResult {
  const { rules = [], lastRules = [] } = call.tool.safety ?? {}
  const safety = [...rules, ...lastRules].map(({ name }) => name)
  const slip = judgement.reasons.find(({ rule }) => safety.includes(rule))
  if (slip !== undefined) return rejected(call, plan, judgement, { rule: slip.rule, message: slip.message })
  return needsApproval(call, plan, judgement, 'nobody can be asked here')
}

const instead = 'Instead: use commands that only read, or tell the user what to run, and why.'

function needsApproval(call: Call, plan: Plan, judgement: Judgement, why: string): BashResult {
  const message = `${linesOf(judgement.reasons)}\n${instead}`
  return rejected(call, plan, judgement, { rule: 'needs-approval', message, why })
}

function notApproved(call: Call, plan: Plan, judgement: Judgement, why: string): BashResult {
  return rejected(call, plan, judgement, {
    rule: 'not-approved',
    message: why === '' ? 'A person has denied it.' : why,
  })
}

/** @param about `why`: why there is no approval */
function rejected(
  call: Call,
  plan: Plan,
  judgement: Judgement,
  about: { rule: string; message: string; why?: string },
): BashResult {
  const { command } = call
  const match = judgement.reasons[0]?.match ?? { start: 0, end: command.length, text: command }
  return refused(call, plan, { ...about, match, judgement })
}

const shownReasons = 5

function linesOf(reasons: readonly Reason[]): string {
  const lines = reasons.slice(0, shownReasons).map(({ message }) => message)
  if (reasons.length > shownReasons) lines.push(`and ${reasons.length - shownReasons} more`)
  return lines.join('\n')
}
