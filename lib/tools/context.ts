// Checking a ToolContext: it comes from the host program, but often through a framework's untyped hands.

import { checkSandbox, resolveDirectory } from '../engine/options.js'
import { checkAbortSignal, checkFunction, checkObject } from '../invalid-input.js'
import type { BashEvent } from '../result.js'
import type { ToolContext } from './types.js'

export interface ResolvedContext {
  workingDir: string
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent) => void) | undefined
}

/** @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_SANDBOX_UNAVAILABLE; ERR_WORKING_DIR */
export function resolveContext(context: ToolContext): ResolvedContext {
  checkObject('context', context)
  checkAbortSignal('context.cancel', context.cancel)
  checkFunction('context.onEvent', context.onEvent)
  checkSandbox('context.sandbox', context.sandbox)
  return {
    workingDir: resolveDirectory('context.workingDir', context.workingDir),
    cancel: context.cancel,
    onEvent: context.onEvent,
  }
}
