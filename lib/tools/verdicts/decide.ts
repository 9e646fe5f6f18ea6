// The decision about a call: what its command does, and whether it can be confined where it only reads.

import { BashError } from '../../errors.js'
import { requireSandbox } from '../../sandbox/requirements.js'
import { examine } from '../../verdicts/judge-text.js'
import type { Judgement } from '../../verdicts/judgement.js'
import { Policy } from '../../verdicts/policy/policy.js'
import { show } from '../../verdicts/show.js'
import { type Call, inSandbox, type Plan } from '../call.js'
import { placeOf } from '../check-call.js'
import { stateOf } from '../tool-options.js'
import type { Verdicts } from './options.js'
import { isAsHostMade } from './shell-state.js'

export interface Decided {
  judgement: Judgement
  /** Of a command that is to run confined, because it is allowed as reading. */
  reading?: Plan
}

/** @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails */
export async function decide(call: Call, verdicts: Verdicts, plan: Plan): Promise<Decided> {
  const { command, session, background, tool, rules } = call
  const { rules: safety = [], lastRules = [] } = tool.safety ?? {}
  const { judgement, isReading, changesShell } = await examine(command, {
    ...placeOf(call, plan),
    policy: rules === undefined ? verdicts.policy : joined(verdicts.policy, rules),
    default: verdicts.default,
    // Nobody waits for a job.
    safety: background ? safety : [...safety, ...lastRules],
  })
  if (!isReading) return { judgement }
  const isAsMade = isShellAsMade(call, plan)
  // Confined, it would leave nothing to the session.
  if (session !== undefined && changesShell)
    return isAsMade ? { judgement } : asking(command, judgement, changed)
  if (verdicts.reads === 'same' && isAsMade) return { judgement }
  const reading = readingPlan(call, plan)
  const refusal = await whyNotConfined(reading)
  return refusal === undefined ? { judgement, reading } : asking(command, judgement, refusal)
}

/** Whether names mean to the shell of the call what they mean to a new one. */
export const isShellAsMade = ({ session }: Call, { options }: Plan): boolean =>
  session === undefined || isAsHostMade(session.shellIn(stateOf(options)))

const joined = (one: Policy, other: Policy): Policy =>
  new Policy([...one.rules, ...other.rules], [...one.off, ...other.off])

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
