// What the adapters share. None of it depends on a framework.

import type { ToolContext } from '../tools/types.js'

/** A conversation, as far as the framework does not know it: the cancel signal and the call's id are the framework's. */
export type AdapterContext<Result> = Omit<ToolContext<Result>, 'cancel' | 'toolCallId'>

const goodStatuses: ReadonlySet<unknown> = new Set(['completed', 'background'])

/** Whether a framework that tells errors from results is to be told of one: what SDKs call an error of the tool. */
export function isFailure(result: object): boolean {
  const { status, exitCode, error } = result as { status?: unknown; exitCode?: unknown; error?: unknown }
  // The exec tool has no status.
  if (status === undefined) return exitCode !== 0 || error !== undefined
  // Only a command's own result names the command; a job that has failed is read all the same.
  return 'command' in result ? !goodStatuses.has(status) : status === 'error'
}
