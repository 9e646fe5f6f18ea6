// `kill -9 -PGID`, which the text about a job suggests: a command that is not run, but carried out.

import { notify } from '../../base/util/listeners.js'
import { type KillCommand, killJobOfConversation } from '../../commands/jobs/kill-command.js'
import { type BashResult, blankResult } from '../../commands/run/result.js'
import { permits } from '../verdicts/permits.js'
import type { Call, Plan } from './call.js'
import { checkSafety } from './check-safety.js'
import { planWithoutTurn } from './plan-call.js'

/**
 * Killing a job needs no turn in the session: it depends on none of its state. Nor does it take a person's consent.
 *
 * @returns undefined for a kill of what is no job of the conversation: it has been checked then, and is a command like others
 */
export async function answerKill(call: Call, kill: KillCommand): Promise<BashResult | undefined> {
  const plan = planWithoutTurn(call)
  const refused = await refuseKill(call, plan)
  if (refused !== undefined) return refused
  const killed = await killOwnJob(call, kill)
  if (killed !== undefined)
    notify(call.onEvent, { type: 'start', command: call.command, display: plan.display })
  return killed
}

async function refuseKill(call: Call, plan: Plan): Promise<BashResult | undefined> {
  const { verdicts } = call.tool
  return verdicts === undefined
    ? await checkSafety(call, plan)
    : await permits().refuseDenied(call, verdicts, plan)
}

/**
 * A confined command may not signal the job itself, and what an adopted job consists of, its supervisor alone knows: it may
 * be in other groups and sessions.
 *
 * @returns undefined when there is no such job, and where the command itself can try
 */
async function killOwnJob(
  { command, owner, cancel, sandbox, tool: { jobs } }: Call,
  kill: KillCommand,
): Promise<BashResult | undefined> {
  if (jobs === undefined || cancel?.aborted === true) return undefined
  const isConfined = sandbox !== 'unrestricted'
  const killed = killJobOfConversation(jobs.store, owner.conversationId, kill, isConfined ? 'any' : 'adopted')
  const output = await (isConfined ? killed : killed.catch(() => undefined))
  if (output === undefined) return undefined
  const outputBytes = Buffer.byteLength(output)
  return { ...blankResult(command, 'completed', sandbox), exitCode: 0, output, outputBytes }
}
