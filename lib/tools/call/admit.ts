// Whether the command of a call may run: by the safety rules, or by the verdicts of a tool that has them.

import { notify } from '../../base/util/listeners.js'
import type { BashResult } from '../../commands/run/result.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import type { Verdicts } from '../verdicts/options.js'
import { permits } from '../verdicts/permits.js'
import type { Call, Pass, Plan } from './call.js'
import { checkSafety } from './check-safety.js'
import { planWithoutTurn } from './plan-call.js'

/**
 * Has the command checked or judged, and emits the start event when it may run.
 *
 * @param isChecked whether the safety rules have been asked already
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
export async function admit(
  call: Call,
  plan: Plan,
  isChecked: boolean,
): Promise<Pass | { refused: BashResult }> {
  const { command, onEvent, tool } = call
  const pass =
    tool.verdicts === undefined
      ? await passOfSafety(call, plan, isChecked)
      : await permits().permit(call, tool.verdicts, plan)
  if (!('refused' in pass)) notify(onEvent, { type: 'start', command, display: plan.display })
  return pass
}

async function passOfSafety(
  call: Call,
  plan: Plan,
  isChecked: boolean,
): Promise<Pass | { refused: BashResult }> {
  const refused = isChecked ? undefined : await checkSafety(call, plan)
  return refused === undefined ? { plan, readConfined: false } : { refused }
}

/**
 * What a tool with `verdicts` would decide about a call.
 *
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
export async function judgeCall(call: Call, verdicts: Verdicts): Promise<Judgement> {
  return await permits().judge(call, verdicts, planWithoutTurn(call))
}
