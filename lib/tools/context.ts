// Checking a ToolContext: it comes from the host program, but often through a framework's untyped hands.

import type { JobOwner } from '../jobs/plan.js'
import { checkSandbox } from '../run/options.js'
import type { BashEvent, BashResult, SandboxMode } from '../run/result.js'
import { BashSession } from '../session/session.js'
import { resolveDirectory } from '../util/directories.js'
import { checkAbortSignal, checkFunction, checkText, invalidInput } from '../util/invalid-input.js'
import { type ContextFields, contextFields } from './context-fields.js'
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
  const fields = contextFields(context)
  const common = resolveCommonFields<Result>(fields)
  const session = checkSession(fields.session)
  // With a session `workingDir` is where it began, if it is given at all.
  const workingDir =
    session?.workingDirIn(common.sandbox) ?? resolveDirectory('context.workingDir', fields.workingDir)
  return { ...common, session, workingDir }
}

/**
 * For a description that is the same in every context, and can do without one.
 *
 * @throws {BashError} as {@link resolveContext}
 */
export function checkContext<Result>(context: ToolContext<Result> | undefined): void {
  if (context !== undefined) resolveContext(context)
}

type CommonFields<Result> = Pick<ResolvedContext<Result>, 'sandbox' | 'owner' | 'cancel' | 'onEvent'>

/** Those that are the same for every tool. @throws {BashError} ERR_INVALID_INPUT naming the field */
export function resolveCommonFields<Result>(fields: ContextFields): CommonFields<Result> {
  const { cancel, onEvent, conversationId, toolCallId, sandbox } = fields
  checkAbortSignal('context.cancel', cancel)
  checkFunction('context.onEvent', onEvent)
  checkText('context.conversationId', conversationId)
  checkText('context.toolCallId', toolCallId)
  return {
    sandbox: checkSandbox('context.sandbox', sandbox),
    owner: { conversationId, toolCallId } as JobOwner,
    cancel: cancel as AbortSignal | undefined,
    onEvent: onEvent as CommonFields<Result>['onEvent'],
  }
}

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkSession(session: unknown): BashSession | undefined {
  if (session !== undefined && !(session instanceof BashSession)) {
    throw invalidInput('context.session', 'must be a BashSession', session)
  }
  return session
}
