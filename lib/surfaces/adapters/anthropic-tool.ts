// Any tool for the tool runners of the Anthropic SDK.

import type { BetaRunnableTool, BetaToolRunContext } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool'
import type { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import type { Tool, ToolContext } from '../../tools/types.js'
import { type ConversationOf, callContext, checkConversation, isFailure } from './adapter.js'

/** That of the SDK for `import`, or that for `require`: a runner knows only its own. */
export type ToolErrorClass = new (content: string) => ToolError

export type AnthropicTool = BetaRunnableTool & { type: 'custom'; description: string }

/** @returns the function `anthropicTool` of `bashward/anthropic` */
export function bindAnthropicTool(ToolError: ToolErrorClass) {
  /**
   * A tool for `client.beta.messages.toolRunner`. What is not a success is thrown as a ToolError, so that the model
   * reads `tool.toText()` with `is_error`. A runner that is aborted kills the command.
   *
   * @param conversation the conversation that the tool is for
   * @throws {BashError} ERR_INVALID_INPUT for a field of the context that is not known
   */
  return function anthropicTool<
    Input,
    Result extends object,
    Context extends Partial<ToolContext<Result>> | undefined = ToolContext<Result>,
  >(given: Tool<Input, Result, Context>, conversation: ConversationOf<Context>): AnthropicTool {
    const { tool, context } = checkConversation(given, conversation)
    return {
      type: 'custom',
      name: tool.name,
      // Once: a runner refuses a tool that has changed, as that of a session would that has moved on.
      description: tool.description(context),
      // A plain copy: what is frozen is no framework's to extend.
      input_schema: { ...structuredClone(tool.inputSchema) },
      // The tool checks it and says in its own words what is wrong; the SDK checks nothing.
      parse: (input) => input,
      async run(input: unknown, call?: BetaToolRunContext) {
        const own = callContext(context, { toolCallId: call?.toolUse.id, signal: call?.signal ?? undefined })
        const result = await tool.execute(input, own.context).finally(own.release)
        const text = tool.toText(result)
        if (isFailure(result)) throw new ToolError(text)
        return text
      },
    }
  }
}
