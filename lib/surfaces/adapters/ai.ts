// bashward/ai: any tool for the AI SDK (ai 7), with output as it comes and its approvals; its SandboxSession; and a sandbox for its harnesses.

import type { ToolExecutionOptions } from 'ai'
import { part } from '../../base/util/load-part.js'
import type { InputSchema } from '../../base/util/schema/standard-schema.js'
import { BoundedText } from '../../processes/output/bounded-text.js'
import type { Tool, ToolContext } from '../../tools/types.js'
import { markApproved } from '../../tools/verdicts/approved.js'
import { type ConversationOf, callContext, checkConversation, isFailure } from './adapter.js'
import { isApproved } from './ai-approval.js'
import type * as Harness from './ai-sandbox/harness.js'
import type { HarnessSandbox, HarnessSandboxOptions } from './ai-sandbox/harness.js'
import { type ApprovalOptions, describe, judgeFor } from './approval.js'

export { type AiApproval, aiApproval } from './ai-approval.js'
export type {
  HarnessSandbox,
  HarnessSandboxOptions,
  HarnessSandboxSession,
} from './ai-sandbox/harness.js'
export { type SandboxSessionOptions, sandboxSession } from './ai-sandbox/session.js'

const harness = part((): typeof Harness => require('./ai-sandbox/harness.js'))

/**
 * A sandbox for a HarnessAgent, in Workspace mode unless `sandbox` says otherwise: the agent and all that it runs can change
 * files below the session's directory, its HOME there among them, and nothing else.
 *
 * Sessions reject with BashError: ERR_WORKING_DIR when there is no such directory, ERR_SANDBOX_UNAVAILABLE, …
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function harnessSandbox(options: HarnessSandboxOptions = {}): HarnessSandbox {
  return harness().harnessSandbox(options)
}

/** A preliminary result, with the output so far: of more than 8,192 characters the first and last half. */
export type RunningCommand = { status: 'running'; output: string }

/** What is used of the AI SDK's `Tool`. */
export interface AiTool<Input, Result> {
  description: () => string
  inputSchema: InputSchema<Input>
  execute(input: Input, options: ToolExecutionOptions<unknown>): AsyncIterable<RunningCommand | Result>
  toModelOutput(options: { output: RunningCommand | Result }): { type: 'text' | 'error-text'; value: string }
  /** With `approval`. What `toolApproval` says of the tool takes its place. */
  needsApproval?: (input: Input, call: { toolCallId: string }) => Promise<boolean>
}

const shownCharacters = 8192

/**
 * A tool for `generateText`, `streamText` and agents. Its preliminary results show the output as it comes; the last one
 * is the tool's own. The model reads `tool.toText()`. The call's `abortSignal` kills the command.
 *
 * @param conversation the conversation that the tool is for
 * @param options `approval`: what the tool's verdicts ask, the SDK asks a person
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option, and a field of the context that is not known
 */
export function aiTool<
  Input,
  Result extends object,
  Context extends Partial<ToolContext<Result>> | undefined = ToolContext<Result>,
>(
  given: Tool<Input, Result, Context>,
  conversation: ConversationOf<Context>,
  options?: ApprovalOptions,
): AiTool<Input, Result> {
  const { tool, context } = checkConversation(given, conversation)
  const judge = judgeFor(tool, context, options)
  return {
    // Each time anew: a session has moved on.
    description: () => describe(tool, context, judge),
    inputSchema: tool.inputSchema,
    ...(judge && {
      needsApproval: async (input: Input, { toolCallId }: { toolCallId: string }) =>
        (await judge(input, toolCallId))?.decision === 'ask',
    }),
    async *execute(input, { toolCallId, abortSignal, messages }) {
      const shown = new BoundedText(shownCharacters)
      const call = callContext(context, { toolCallId, signal: abortSignal })
      if (judge && isApproved(input, { toolCallId, messages })) markApproved(call.context)
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
