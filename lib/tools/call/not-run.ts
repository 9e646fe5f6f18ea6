// The results of calls whose command does not run, or comes to nothing.

import { type BashResult, blankResult } from '../../commands/run/result.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import type { Call, Plan } from './call.js'

type Asked = Pick<Call, 'command' | 'sandbox'>

/** @param plan of a call that was planned before */
export function cancelled({ command, sandbox }: Asked, plan?: Plan, judgement?: Judgement): BashResult {
  const result = blankResult(command, 'cancelled', sandbox)
  if (plan !== undefined) result.display = plan.display
  if (judgement !== undefined) result.judgement = judgement
  return result
}

/** Why a command may not run. */
export interface Refusal extends NonNullable<BashResult['rejection']> {
  message: string
  judgement?: Judgement
}

export function refused(
  { command, sandbox }: Asked,
  { display }: Plan,
  { rule, match, why, message, judgement }: Refusal,
): BashResult {
  return {
    ...blankResult(command, 'rejected', sandbox),
    display,
    ...(judgement !== undefined && { judgement }),
    rejection: { rule, match, ...(why !== undefined && { why }) },
    error: { code: 'ERR_COMMAND_REJECTED', message },
  }
}
