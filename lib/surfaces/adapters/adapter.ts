// What the adapters share. None of it depends on a framework.

import { checkAbortSignal } from '../../base/util/invalid-input.js'
import { onAbort } from '../../base/util/listeners.js'
import { contextFields } from '../../tools/context.js'
import type { Tool, ToolContext } from '../../tools/types.js'

/** A conversation. The framework knows the id of a call, and may end one; so does `cancel`, if it is given. */
export type AdapterContext<Result> = Omit<ToolContext<Result>, 'toolCallId'>

/** The same, of a tool whose calls are given something else: one of a fleet. */
export type ConversationOf<Context> = Omit<NonNullable<Context>, 'toolCallId'>

/** A tool and its conversation, as the adapters call them: whatever a context has, the tool itself checks it. */
export function checkConversation<Input, Result, Context>(
  tool: Tool<Input, Result, Context>,
  conversation: ConversationOf<Context>,
): { tool: Tool<Input, Result>; context: AdapterContext<Result> } {
  checkAdapterContext(conversation)
  return {
    tool: tool as unknown as Tool<Input, Result>,
    context: conversation as unknown as AdapterContext<Result>,
  }
}

/**
 * Told when a tool is made, and not to the model.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a field that is not known
 */
export function checkAdapterContext(context: unknown): void {
  if (context !== undefined) contextFields(context)
}

/** What the framework knows of a call. */
interface FrameworkCall {
  toolCallId: string | undefined
  signal: AbortSignal | undefined
}

export interface CallContext<Result> {
  context: ToolContext<Result>
  /** To be called when the call has ended. */
  release(): void
}

/** The conversation as it is now, with what the framework knows of the call. @throws {BashError} ERR_INVALID_INPUT */
export function callContext<Result>(
  context: AdapterContext<Result> | undefined,
  { toolCallId, signal }: FrameworkCall,
): CallContext<Result> {
  const fields = context === undefined ? {} : contextFields(context)
  const { cancel, release } = firstOf(checkAbortSignal('context.cancel', fields.cancel), signal)
  const call = { ...fields, ...(toolCallId !== undefined && { toolCallId }), cancel } as ToolContext<Result>
  if (context !== undefined) shareRules(call, context)
  return { context: call, release }
}

/** What `onRemember(rule, context)` gives to the call is for the conversation. */
function shareRules<Result>(call: ToolContext<Result>, conversation: AdapterContext<Result>): void {
  Object.defineProperty(call, 'policy', {
    enumerable: true,
    get: () => conversation.policy,
    set: (policy: AdapterContext<Result>['policy']) => {
      conversation.policy = policy
    },
  })
}

/** Not AbortSignal.any(), which takes no signals of other realms, and forgets none in older versions of Node. */
function firstOf(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): { cancel: AbortSignal | undefined; release: () => void } {
  if (first === undefined || second === undefined) return { cancel: first ?? second, release: () => {} }
  const controller = new AbortController()
  const releases = [first, second].map((signal) => onAbort(signal, () => controller.abort()))
  return {
    cancel: controller.signal,
    release: () => {
      for (const release of releases) release()
    },
  }
}

const goodStatuses: ReadonlySet<unknown> = new Set(['completed', 'background'])

/** Whether a framework that tells errors from results is to be told of one: what SDKs call an error of the tool. */
export function isFailure(result: object): boolean {
  const { status, exitCode, error } = result as { status?: unknown; exitCode?: unknown; error?: unknown }
  // The exec tool has no status.
  if (status === undefined) return exitCode !== 0 || error !== undefined
  // Only a command's own result names the command; a job that has failed is read all the same.
  return 'command' in result ? !goodStatuses.has(status) : status === 'error' || status === 'rejected'
}
