// Checking a ToolContext: it comes from the host program, but often through a framework's untyped hands.

import { checkSandbox } from '../engine/options.js'
import { checkAbortSignal, checkFunction, checkObject, checkText, invalidInput } from '../invalid-input.js'
import type { JobOwner } from '../jobs/plan.js'
import { resolveDirectory } from '../resolve-directory.js'
import type { BashEvent, BashResult, SandboxMode } from '../result.js'
import { BashSession } from '../session/session.js'
import type { ToolContext } from './types.js'

export interface ResolvedContext<Result = BashResult> {
  workingDir: string
  sandbox: SandboxMode
  owner: JobOwner
  session: BashSession | undefined
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent<Result>) => void) | undefined
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_WORKING_DIR */
export function resolveContext<Result>(context: ToolContext<Result>): ResolvedContext<Result> {
  checkObject('context', context)
  checkAbortSignal('context.cancel', context.cancel)
  checkFunction('context.onEvent', context.onEvent)
  const { conversationId, toolCallId } = context
  checkText('context.conversationId', conversationId)
  checkText('context.toolCallId', toolCallId)
  return {
    workingDir: directoryOf(context),
    sandbox: checkSandbox('context.sandbox', context.sandbox),
    owner: { conversationId, toolCallId },
    session: checkSession(context.session),
    cancel: context.cancel,
    onEvent: context.onEvent,
  }
}

/** With a session `workingDir` is where it began, if it is given at all. */
function directoryOf({ session, workingDir }: Pick<ToolContext, 'session' | 'workingDir'>): string {
  return session instanceof BashSession
    ? session.workingDir
    : resolveDirectory('context.workingDir', workingDir)
}

function checkSession(session: unknown): BashSession | undefined {
  if (session !== undefined && !(session instanceof BashSession)) {
    throw invalidInput('context.session', 'must be a BashSession', session)
  }
  return session
}
