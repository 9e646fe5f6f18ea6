// Approvals of the AI SDK (ai 7): it asks a person through the messages of the conversation, often from one HTTP request
// to the next, and runs the tool when the answer has come back in them.

import type { ModelMessage, ToolApprovalStatus } from 'ai'
import type { Tool } from '../../tools/types.js'
import { type AdapterContext, checkAdapterContext } from './adapter.js'
import { judgeOf, reasonOf } from './approval.js'

/** What the SDK asks about each call of a tool. */
export type AiApproval<Input> = (input: Input, call: { toolCallId: string }) => Promise<ToolApprovalStatus>

/**
 * For `toolApproval` of `generateText`, `streamText` and agents: says why a call asks, and tells the model why one is
 * denied. The tool itself is `aiTool(tool, context, { approval: true })`.
 *
 * @param tool made with `verdicts`
 * @param context the same as that of the tool
 * @throws {BashError} ERR_INVALID_INPUT for a tool without verdicts, and a field of the context that is not known
 */
export function aiApproval<Input, Result extends object>(
  tool: Tool<Input, Result>,
  context: AdapterContext<Result>,
): AiApproval<Input> {
  checkAdapterContext(context)
  const judge = judgeOf(tool, context)
  return async (input, { toolCallId }) => {
    const judgement = await judge(input, toolCallId)
    if (judgement === undefined || judgement.decision === 'allow') return 'not-applicable'
    return { type: judgement.decision === 'deny' ? 'denied' : 'user-approval', reason: reasonOf(judgement) }
  }
}

interface ExecutedCall {
  toolCallId: string
  /** What was sent to the model before the call; for an approved call, everything up to the answer. */
  messages?: readonly ModelMessage[] | undefined
}

/**
 * Whether a person was asked about this very call, and has approved it. `needsApproval` and `toolApproval` prove nothing:
 * either may be replaced, and a process that runs the call need not be the one that asked. What the SDK goes by is in the
 * messages: they end with the answer to a request about a call of this id, with this input.
 */
export function isApproved(input: unknown, { toolCallId, messages = [] }: ExecutedCall): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return false
  const asked = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content : [],
  )
  const call = asked.findLast((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
  // Some models number their calls anew in each turn.
  if (call?.type !== 'tool-call' || JSON.stringify(call.input) !== JSON.stringify(input)) return false
  const requests = asked.filter((part) => part.type === 'tool-approval-request')
  const answers = last.content.filter((part) => {
    if (part.type !== 'tool-approval-response') return false
    const request = requests.findLast(({ approvalId }) => approvalId === part.approvalId)
    // An automatic one is the host's word, and nobody was asked.
    return request?.toolCallId === toolCallId && request.isAutomatic !== true
  })
  const isDone = last.content.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)
  return (
    !isDone &&
    answers.length > 0 &&
    answers.every((part) => part.type === 'tool-approval-response' && part.approved === true)
  )
}
