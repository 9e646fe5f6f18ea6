// The life of a call, whichever tool makes it: its input and context have been checked.

import { invalidInput } from '../../base/util/invalid-input.js'
import { parseKillCommand } from '../../commands/jobs/kill-command.js'
import type { BashResult } from '../../commands/run/result.js'
import type { SessionTurn } from '../../commands/session/session-mode.js'
import { stateOf } from '../modes.js'
import { admit } from './admit.js'
import { answerKill } from './answer-kill.js'
import type { Call } from './call.js'
import { dress } from './dress.js'
import { cancelled } from './not-run.js'
import { perform } from './perform.js'
import { askedOptions, planCall } from './plan-call.js'

/** @throws {BashError} when the command cannot be started, or a safety rule of the host fails */
export async function runCall(call: Call): Promise<BashResult> {
  refuseRulesWithoutVerdicts(call)
  const kill = call.background ? undefined : parseKillCommand(call.command)
  const killed = kill && (await answerKill(call, kill))
  if (killed !== undefined) return killed
  // Without a kill nothing has been waited for: calls get their turns in the order in which they were made.
  return await inTurn(call, async (turn) => {
    const { plan, login } = await planCall(call, turn)
    const pass = await admit(call, plan, kill !== undefined)
    if ('refused' in pass) return pass.refused
    const result = await perform(call, pass).catch(async (error: unknown) => {
      throw turn === undefined ? error : await turn.explain(error)
    })
    return await dress(result, { call, pass, login, turn })
  })
}

/** @throws {BashError} ERR_INVALID_INPUT: they would be ignored */
function refuseRulesWithoutVerdicts({ rules, tool }: Call): void {
  if (rules === undefined || tool.verdicts !== undefined) return
  throw invalidInput('context.policy', 'must be left out for a tool that was made without verdicts', rules)
}

/** Calls of a session run one after the other; all others at once. */
async function inTurn(
  call: Call,
  live: (turn: SessionTurn | undefined) => Promise<BashResult>,
): Promise<BashResult> {
  const { session, cancel: cancelSignal } = call
  if (session === undefined) return await live(undefined)
  const turn = await session.enter({ sandbox: stateOf(askedOptions(call)), cancelSignal })
  if (turn === undefined) return cancelled(call)
  try {
    return await live(turn)
  } finally {
    turn.release()
  }
}
