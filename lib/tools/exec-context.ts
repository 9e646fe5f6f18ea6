// The context of the exec tool: that of any tool, but nothing in it is required.

import { checkSandbox } from '../engine/options.js'
import { checkAbortSignal, checkFunction, checkObject, checkText } from '../invalid-input.js'
import { resolveDirectory } from '../resolve-directory.js'
import type { BashEvent, SandboxMode } from '../result.js'
import type { ExecResult } from './exec-result.js'
import type { ToolContext } from './types.js'

export interface ExecContext extends Omit<ToolContext<ExecResult>, 'workingDir'> {
  /** Where commands run. Default: the process's own directory (002, "Working Directory"). */
  workingDir?: string | undefined
}

export interface ResolvedExecContext {
  workingDir: string
  sandbox: SandboxMode
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent<ExecResult>) => void) | undefined
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_WORKING_DIR */
export function resolveExecContext(context: ExecContext = {}): ResolvedExecContext {
  checkObject('context', context)
  const { cancel, onEvent, sandbox, conversationId, toolCallId, workingDir = '.' } = context
  checkAbortSignal('context.cancel', cancel)
  checkFunction('context.onEvent', onEvent)
  checkText('context.conversationId', conversationId)
  checkText('context.toolCallId', toolCallId)
  return {
    workingDir: resolveDirectory('context.workingDir', workingDir),
    sandbox: checkSandbox('context.sandbox', sandbox),
    cancel,
    onEvent,
  }
}
