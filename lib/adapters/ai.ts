// bashward/ai: any tool for the AI SDK (ai 7), with output as it comes; and its SandboxSession.

import type { ToolExecutionOptions } from 'ai'
import { BoundedText } from '../output/bounded-text.js'
import type { Tool } from '../tools/types.js'
import type { InputSchema } from '../util/schema/standard-schema.js'
import { type AdapterContext, callContext, checkAdapterContext, isFailure } from './adapter.js'

export { type SandboxSessionOptions, sandboxSession } from './ai-sandbox/session.js'

/** A preliminary result, with the output so far: of more than 8,192 characters the first and last half. */
export type RunningCommand = { status: 'running'; output: string }

/** What is used of the AI SDK's `Tool`. */
export interface AiTool<Input, Result> {
  description: () => string
  inputSchema: InputSchema<Input>
  execute(input: Input, options: ToolExecutionOptions<unknown>): AsyncIterable<RunningCommand | Result>
  toModelOutput(options: { output: RunningCommand | Result }): { type: 'text' | 'error-text'; value: string }
}

const shownCharacters = 8192

/**
 * A tool for `generateText`, `streamText` and agents. Its preliminary results show the output as it comes; the last one
 * is the tool's own. The model reads `tool.toText()`. The call's `abortSignal` kills the command.
 *
 * @param context the conversation that the tool is for
 * @throws {BashError} ERR_INVALID_INPUT for a field of the context that is not known
 */
export function aiTool<Input, Result extends object>(
  tool: Tool<Input, Result>,
  context: AdapterContext<Result>,
): AiTool<Input, Result> {
  checkAdapterContext(context)
  return {
    // Each time anew: a session has moved on.
    description: () => tool.description(context),
    inputSchema: tool.inputSchema,
    async *execute(input, { toolCallId, abortSignal }) {
      const shown = new BoundedText(shownCharacters)
      const call = callContext(context, { toolCallId, signal: abortSignal })
      try {
        for await (const event of tool.stream(input, call.context)) {
          if (event.type === 'result') yield event.result
          if (event.type !== 'output') continue
          if (event.dropped > 0) shown.skip(event.dropped)
          shown.add(event.text)
          yield { status: 'running', output: shown.result().text } satisfies RunningCommand
        }
      } finally {
        call.release()
      }
    },
    toModelOutput: ({ output }) =>
      isRunning(output)
        ? { type: 'text', value: output.output }
        : { type: isFailure(output) ? 'error-text' : 'text', value: tool.toText(output) },
  }
}

function isRunning<Result extends object>(output: RunningCommand | Result): output is RunningCommand {
  // A job that is read may be running too, and says more.
  return Object.keys(output).length === 2 && 'status' in output && output.status === 'running'
}
