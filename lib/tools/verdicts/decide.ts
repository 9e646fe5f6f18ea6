// The decision about a call: what its command does, and whether it can be confined where it only reads.

import { BashError } from '../../base/errors.js'
import type { SessionOutcome } from '../../commands/session/session-mode.js'
import { requireSandbox } from '../../guard/sandbox/requirements.js'
import { type ExamineOptions, examine } from '../../guard/verdicts/judge-text.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import { Policy } from '../../guard/verdicts/policy/policy.js'
import { maxReasons } from '../../guard/verdicts/script-judge.js'
import { show } from '../../guard/verdicts/show.js'
import type { Call, Plan } from '../call/call.js'
import { placeOf } from '../call/check-safety.js'
import { inSandbox } from '../call/plan-call.js'
import { stateOf } from '../modes.js'
import { definedNames } from './defined-names.js'
import { selectionFor } from './left-state.js'
import type { Verdicts } from './options.js'
import { isAsHostMade } from './shell-state.js'

export interface Decided {
  judgement: Judgement
  /** Of a command that is to run confined, because it is allowed as reading. */
  reading?: Plan
  /** What its session takes over of what it leaves. Undefined: all. */
  takes?: SessionOutcome['takes']
  /** It leaves nothing to its session, though it would. */
  dropsChanges?: true
}

/** @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails */
export async function decide(call: Call, verdicts: Verdicts, plan: Plan): Promise<Decided> {
  const { command, session, background, tool, rules } = call
  const { rules: safety = [], lastRules = [] } = tool.safety ?? {}
  const options: ExamineOptions = {
    ...placeOf(call, plan),
    policy: rules === undefined ? verdicts.policy : joined(verdicts.policy, rules),
    default: verdicts.default,
    // Nobody waits for a job.
    safety: background ? safety : [...safety, ...lastRules],
  }
  const { judgement, isReading, changesShell, readsRepository, hasUnruled } = await examine(command, options)
  if (judgement.decision === 'deny') return { judgement }
  // What only reads is confined there.
  const defined =
    isReading || session === undefined
      ? []
      : definedNames(command, judgement, session.shellIn(stateOf(plan.options)))
  if (defined.length > 0) {
    const reasons = [...defined, ...judgement.reasons].slice(0, maxReasons)
    return { judgement: { ...judgement, decision: 'ask', reasons, suggestion: null } }
  }
  if (judgement.decision === 'ask') return { judgement }
  const confines = verdicts.reads === 'confined'
  // git may run what a repository names, which is never to happen unconfined and unasked.
  const isRisky = confines && readsRepository
  if (!isReading && isRisky) return asking(command, judgement, besideRule)
  const isAsMade = isShellAsMade(call, plan)
  if (!isReading) return hasUnruled && !isAsMade ? asking(command, judgement, changedBeside) : { judgement }
  // Nothing is left by a job.
  const leavesChanges = session !== undefined && changesShell && !background
  if (leavesChanges && !isAsMade) return asking(command, judgement, changed)
  const selection = selectionFor(command, (definition) => onlyReads(definition, options))
  if (!confines && isAsMade) return { judgement, takes: selection }
  const reading = readingPlan(call, plan)
  const refusal = await whyNotConfined(reading)
  if (refusal !== undefined) return asking(command, judgement, refusal)
  if (leavesChanges && !isRisky) return { judgement, reading, takes: selection }
  return { judgement, reading, takes: 'nothing', ...(leavesChanges && { dropsChanges: true }) }
}

/** Of a function, as bash prints it. */
async function onlyReads(definition: string, options: ExamineOptions): Promise<boolean> {
  try {
    const { isReading, readsRepository } = await examine(definition, options)
    return isReading && !readsRepository
  } catch {
    // A rule of the host fails.
    return false
  }
}

/** Whether names mean to the shell of the call what they mean to a new one. */
export const isShellAsMade = ({ session }: Call, { options }: Plan): boolean =>
  session === undefined || isAsHostMade(session.shellIn(stateOf(options)))

const joined = (one: Policy, other: Policy): Policy =>
  new Policy([...one.rules, ...other.rules], [...one.off, ...other.off])

const besideRule =
  'git may run what the configuration of the repository names, and cannot be confined beside what a rule allows'
const changedBeside =
  'has commands that only read beside what a rule allows, and the session has functions, aliases, options or variables by which they may run something else'
const changed =
  'only reads, but the session has functions, aliases, options or variables by which it may run something else'

/** What is allowed as it is read asks where more than that has to be known. */
function asking(command: string, judgement: Judgement, why: string): Decided {
  const match = { start: 0, end: command.length, text: command }
  const message = `${show(command)}: ${why}`
  const reason = { rule: 'cannot-be-confined', match, program: '', effect: 'unknown', message } as const
  return { judgement: { ...judgement, decision: 'ask', reasons: [reason] } }
}

/** The conversation's own, but that nothing can be written but a scratch directory, and no network be reached. */
export const readingPlan = ({ tool }: Call, plan: Plan): Plan =>
  inSandbox(plan, tool.modes.forReads(plan.options.policy))

async function whyNotConfined({ options: { required, policy } }: Plan): Promise<string | undefined> {
  if (policy === undefined) return undefined
  try {
    await requireSandbox(required, policy)
    return undefined
  } catch (error) {
    if (!BashError.isInstance(error) || error.code !== 'ERR_SANDBOX_UNAVAILABLE') throw error
    return `only reads, but cannot be confined here: ${error.message}`
  }
}
