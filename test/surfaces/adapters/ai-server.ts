// A server that keeps nothing between two requests: each comes with the whole history, and may end with a person's answer.
import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai'
import { createBashTool, type VerdictOptions } from '../../../lib/index.js'
import { aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { scriptedAiModel } from './agent-loops.js'

export const bashWith = (verdicts: VerdictOptions) =>
  createBashTool({ verdicts: { reads: 'same', ...verdicts } })

export type Settings = Pick<
  Parameters<typeof generateText<ToolSet>>[0],
  'toolApproval' | 'experimental_toolApprovalSecret'
>

/** @returns a function that answers a request; its model makes the calls of `bash`, once in each turn */
export const serverIn = (workingDir: string, verdicts: VerdictOptions = {}, settings: Settings = {}) => {
  const tools: ToolSet = { bash: aiTool(bashWith(verdicts), { workingDir }, { approval: true }) }
  return async (messages: ModelMessage[], ...commands: [toolCallId: string, command: string][]) => {
    const model = scriptedAiModel(
      commands.map(([toolCallId, command]) => ({ toolCallId, input: { command } })),
    )
    const stopWhen = isStepCount(commands.length + 1)
    const { content, responseMessages } = await generateText({
      model,
      tools,
      stopWhen,
      ...settings,
      messages,
    })
    const history = JSON.parse(JSON.stringify([...messages, ...responseMessages])) as ModelMessage[]
    const asked = content.flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []))
    return { history, asked, read: readOf(history) }
  }
}

export const user: ModelMessage[] = [{ role: 'user', content: 'go' }]

export const answer = (approvalId: string | undefined, approved: boolean, reason?: string): ModelMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-approval-response',
      approvalId: approvalId ?? '',
      approved,
      ...(reason === undefined ? {} : { reason }),
    },
  ],
})

/** What the model has read of its calls, the last first. */
export const readOf = (messages: ModelMessage[]): unknown[] =>
  messages
    .flatMap(({ role, content }) => (role === 'tool' ? content : []))
    .flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
    .reverse()
