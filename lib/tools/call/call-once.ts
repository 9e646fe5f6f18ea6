// Calls of a tool that has a ledger: each starts once, whoever sends it again.

import { checkIdentifier } from '../../base/util/identifier.js'
import { invalidInput } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import type { CallLedger } from '../../commands/calls/call-ledger.js'
import type * as Operations from '../../commands/calls/operations.js'
import type { BashResult } from '../../commands/run/result.js'
import type { MarkPlan } from '../../processes/engine/request.js'
import { contextFields, type ResolvedContext } from '../context.js'
import type { JobOptions } from '../tool-options.js'

export interface LedgerCall {
  calls: CallLedger
  /** Of the tool. */
  name: string
  jobs: JobOptions | undefined
  sharesSession: boolean | undefined
  command: string
  input: unknown
  /** The context as it was given. */
  given: unknown
  context: ResolvedContext<never>
  /** The result of a command that did not start. */
  failed(error: unknown): BashResult
}

/**
 * @param perform runs the command, whose supervisor makes the mark; may throw
 * @throws {BashError} ERR_INVALID_INPUT when the context does not name the call; as `runOnce`
 */
export async function callOnce(
  call: LedgerCall,
  perform: (mark: MarkPlan) => Promise<BashResult>,
): Promise<BashResult> {
  const { calls: ledger, name, jobs, sharesSession, command, input, given, context, failed } = call
  const { owner, session, sandbox: mode, cancel } = context
  const { workingDir, sandbox } = contextFields(given)
  if (owner.toolCallId === undefined) {
    const need = 'is needed: this tool starts each call once, by its id'
    throw invalidInput('context.toolCallId', need, undefined)
  }
  const identity = {
    callId: checkIdentifier('context.toolCallId', owner.toolCallId),
    conversationId:
      owner.conversationId === undefined
        ? undefined
        : checkIdentifier('context.conversationId', owner.conversationId),
  }
  const began = session?.initialDirectory ?? (sharesSession ? true : null)
  return await operations().runOnce(
    {
      ledger,
      identity,
      request: { tool: name, input, workingDir, sandbox, session: began },
      command,
      sandbox: mode,
      cancel,
      failed,
      jobFields: async (id) => await jobFields(id, jobs),
    },
    perform,
  )
}

/** @returns undefined when nothing is known of the job */
async function jobFields(id: string, jobs: JobOptions | undefined): Promise<Partial<BashResult> | undefined> {
  const job = await jobs
    ?.store()
    .get(id)
    .catch(() => undefined)
  if (job?.record == null) return undefined
  const { pid, pgid } = job.record
  return { pid, pgid, outputFile: job.outputFile }
}

const operations = part((): typeof Operations => require('../../commands/calls/operations.js'))
