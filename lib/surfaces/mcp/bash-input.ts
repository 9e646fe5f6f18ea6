// bash_input of the MCP server: types into a command that runs in a terminal.

import type { BashInputResult, BashInputTool } from '../../tools/tty/bash-input.js'
import type { ToolContext } from '../../tools/types.js'
import type { ServerCall, ServerToolResult } from './server-call.js'

export interface TypeOptions {
  /** Where nobody can be asked. */
  silent: BashInputTool
  asking: BashInputTool
  context: Pick<ToolContext, 'workingDir' | 'sandbox'>
  /** Told of the context of each call. */
  onCall(context: object, call: ServerCall): void
}

/** @returns what a call of the tool does; it never rejects */
export function typeInto({ silent, asking, context, onCall }: TypeOptions) {
  return async (input: unknown, serverCall: ServerCall): Promise<ServerToolResult> => {
    const { toolCallId, onceIn, cancel, approval, remembered } = serverCall
    const policy = remembered?.policy
    const call = { ...context, toolCallId, cancel, ...(policy && { policy }) }
    onCall(call, serverCall)
    const tool = approval === undefined ? silent : asking
    if (onceIn !== undefined) return { text: `[${cannotRepeat}]`, structured: repeated, isError: true }
    const result = await tool.execute(input, call)
    const isError = result.status === 'error' || result.status === 'rejected'
    const told = { text: tool.toText(result), structured: { ...result }, isError }
    const { bash_id: id } = (input ?? {}) as { bash_id?: unknown }
    const isOver = typeof id === 'string' && !isError && result.status !== 'running'
    return isOver ? { ...told, endedJob: id } : told
  }
}

const cannotRepeat =
  'nothing was typed: a call with bashward/callId may be sent again, and text would be typed twice'

const repeated = {
  status: 'error',
  output: '',
  exitCode: null,
  signal: null,
  outputBytes: 0,
  nextOffset: 0,
  error: { code: 'ERR_INVALID_INPUT', message: cannotRepeat },
} satisfies Partial<BashInputResult>
