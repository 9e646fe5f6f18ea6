// `kill -9 -PGID`, which the text about a job suggests: a command that is not run, but carried out.

import { type KillCommand, killJobOfConversation } from '../jobs/kill-command.js'
import { type BashResult, blankResult } from '../run/result.js'
import type { ResolvedContext } from './context.js'
import type { JobOptions } from './tool-options.js'

interface OwnJobCall extends Pick<ResolvedContext<never>, 'owner' | 'cancel' | 'sandbox'> {
  command: string
  /** Undefined: the tool has none. */
  jobs: JobOptions | undefined
}

/**
 * A confined command may not signal the job itself, and what an adopted job consists of, its supervisor alone knows: it may
 * be in other groups and sessions.
 *
 * @returns undefined when there is no such job, and where the command itself can try
 */
export async function killOwnJob(
  { command, owner, cancel, sandbox, jobs }: OwnJobCall,
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
