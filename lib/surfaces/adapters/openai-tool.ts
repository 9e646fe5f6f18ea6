// Any tool for the OpenAI Agents SDK.

import type { tool as defineTool, FunctionTool, RunContext } from '@openai/agents'
import type { Tool, ToolContext } from '../../tools/types.js'
import { markApproved } from '../../tools/verdicts/approved.js'
import { type ConversationOf, callContext, checkConversation } from './adapter.js'
import { type ApprovalOptions, describe, judgeFor } from './approval.js'

type ToolCallDetails = NonNullable<Parameters<FunctionTool['invoke']>[2]>

/** That of the SDK for `import`, or that for `require`: runners and tools are of one copy. */
export type DefineTool = typeof defineTool

/** @returns the function `openaiTool` of `bashward/openai` */
export function bindOpenaiTool(defineTool: DefineTool) {
  /**
   * A tool for agents of `@openai/agents`. The model reads `tool.toText()`. A run that is aborted kills the command.
   *
   * @param conversation the conversation that the tool is for
   * @param options `approval`: what the tool's verdicts ask interrupts the run, until a person has answered
   * @throws {BashError} ERR_INVALID_INPUT for a wrong option or context
   */
  return function openaiTool<
    Input,
    Result extends object,
    Context extends Partial<ToolContext<Result>> | undefined = ToolContext<Result>,
  >(
    given: Tool<Input, Result, Context>,
    conversation: ConversationOf<Context>,
    options?: ApprovalOptions,
  ): FunctionTool {
    const { tool, context } = checkConversation(given, conversation)
    const judge = judgeFor(tool, context, options)
    return defineTool({
      name: tool.name,
      description: describe(tool, context, judge),
      // A plain copy, and not strict: as a Standard Schema it would be checked by the SDK, which tells the model only that
      // something is wrong. The tool checks it itself and says what.
      parameters: structuredClone(tool.inputSchema) as never,
      strict: false,
      // There is no "no": the tool rejects what is denied by itself.
      ...(judge && {
        needsApproval: async (_run: RunContext, input: unknown, callId?: string) =>
          (await judge(input, callId))?.decision === 'ask',
      }),
      async execute(input: unknown, run?: RunContext, details?: ToolCallDetails) {
        const { toolCall, signal } = details ?? {}
        const own = callContext(context, { toolCallId: toolCall?.callId, signal })
        if (judge && isApproved(run, toolCall)) markApproved(own.context)
        const result = await tool.execute(input, own.context).finally(own.release)
        return tool.toText(result)
      },
    }) as FunctionTool
  }
}

/**
 * Whether a person has approved this very call, as the SDK has it; that the tool has asked for it proves nothing, since
 * `needsApproval` may be replaced. The SDK ends a run whose call is no longer the one that was approved.
 */
function isApproved(run: RunContext | undefined, toolCall: ToolCallDetails['toolCall']): boolean {
  if (run === undefined || toolCall === undefined) return false
  return run.isToolApproved({ toolName: toolCall.name, callId: toolCall.callId }) === true
}
