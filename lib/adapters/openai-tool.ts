// Any tool for the OpenAI Agents SDK.

import type { tool as defineTool, FunctionTool } from '@openai/agents'
import type { Tool } from '../tools/types.js'
import { type AdapterContext, callContext, checkAdapterContext } from './adapter.js'

/** That of the SDK for `import`, or that for `require`: runners and tools are of one copy. */
export type DefineTool = typeof defineTool

/** @returns the function `openaiTool` of `bashward/openai` */
export function bindOpenaiTool(defineTool: DefineTool) {
  /**
   * A tool for agents of `@openai/agents`. The model reads `tool.toText()`. A run that is aborted kills the command.
   *
   * @param context the conversation that the tool is for
   * @throws {BashError} ERR_INVALID_INPUT for a wrong context
   */
  return function openaiTool<Input, Result extends object>(
    tool: Tool<Input, Result>,
    context: AdapterContext<Result>,
  ): FunctionTool {
    checkAdapterContext(context)
    return defineTool({
      name: tool.name,
      description: tool.description(context),
      // A plain copy, and not strict: as a Standard Schema it would be checked by the SDK, which tells the model only that
      // something is wrong. The tool checks it itself and says what.
      parameters: structuredClone(tool.inputSchema) as never,
      strict: false,
      async execute(input: unknown, _run: unknown, details) {
        const own = callContext(context, { toolCallId: details?.toolCall?.callId, signal: details?.signal })
        const result = await tool.execute(input, own.context).finally(own.release)
        return tool.toText(result)
      },
    }) as FunctionTool
  }
}
