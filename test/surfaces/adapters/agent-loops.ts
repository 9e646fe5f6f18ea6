// The loops of the SDKs with models that follow a script: they call the tool with one command after the other.
import Anthropic from '@anthropic-ai/sdk'
import { Agent, Runner } from '@openai/agents'
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import type { BashTool, ToolContext } from '../../../lib/index.js'
import { aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { anthropicTool } from '../../../lib/surfaces/adapters/anthropic.js'
import { openaiTool } from '../../../lib/surfaces/adapters/openai.js'

type Context = Omit<ToolContext, 'toolCallId'>

/** Runs the commands, and gives what the model has read of each. */
export type AgentLoop = (
  tool: BashTool,
  context: Context,
  commands: readonly string[],
  signal?: AbortSignal,
) => Promise<string[]>

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

type ModelCall = { toolCallId: string; input: object }

/** Calls the tool `bash`, once in each turn, and then says that it is done. */
export const scriptedAiModel = (calls: readonly ModelCall[]): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: [
      ...calls.map(({ toolCallId, input }) => ({
        content: [
          {
            type: 'tool-call' as const,
            toolCallId,
            toolName: 'bash',
            input: JSON.stringify(input),
          },
        ],
        finishReason: { unified: 'tool-calls' as const, raw: undefined },
        usage,
        warnings: [],
      })),
      {
        content: [{ type: 'text' as const, text: 'done' }],
        finishReason: { unified: 'stop' as const, raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })

/** Likewise, for `streamText`. */
export const scriptedAiStream = (calls: readonly ModelCall[]): MockLanguageModelV4 => {
  let turn = 0
  return new MockLanguageModelV4({
    doStream: async () => {
      const call = calls[turn++]
      const parts =
        call === undefined
          ? [
              { type: 'text-start' as const, id: '1' },
              { type: 'text-delta' as const, id: '1', delta: 'done' },
              { type: 'text-end' as const, id: '1' },
            ]
          : [
              {
                type: 'tool-call' as const,
                toolCallId: call.toolCallId,
                toolName: 'bash',
                input: JSON.stringify(call.input),
              },
            ]
      const unified = call === undefined ? ('stop' as const) : ('tool-calls' as const)
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start' as const, warnings: [] },
            ...parts,
            { type: 'finish' as const, finishReason: { unified, raw: undefined }, usage },
          ],
        }),
      }
    },
  })
}

const aiLoop: AgentLoop = async (tool, context, commands, signal) => {
  const model = scriptedAiModel(
    commands.map((command, index) => ({ toolCallId: `call_${index}`, input: { command } })),
  )
  const { steps } = await generateText({
    model,
    tools: { bash: aiTool(tool, context) },
    prompt: 'go',
    stopWhen: isStepCount(commands.length + 1),
    ...(signal && { abortSignal: signal }),
  })
  return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => tool.toText(output as never)))
}

const openaiLoop: AgentLoop = async (tool, context, commands, signal) => {
  const model = new ScriptedModel([
    ...commands.map((command, index) =>
      modelResponse([functionCall('bash', { command }, { callId: `call_${index}` })]),
    ),
    modelResponse([assistantMessage('done')]),
  ])
  const agent = new Agent({ name: 'test', model, tools: [openaiTool(tool, context)] })
  await new Runner({ tracingDisabled: true }).run(agent, 'go', signal && { signal })
  const items = model.lastCall?.request.input as { type: string; output?: { text: string } }[]
  return items.flatMap(({ type, output }) =>
    type === 'function_call_result' && output !== undefined ? [output.text] : [],
  )
}

const anthropicLoop: AgentLoop = async (tool, context, commands, signal) => {
  const read: string[] = []
  let turn = 0
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async (_, init) => {
      const { messages } = JSON.parse(String(init?.body)) as {
        messages: { content: { content: string }[] }[]
      }
      if (turn > 0) read.push(messages.at(-1)?.content[0]?.content ?? '')
      const command = commands[turn++]
      const content =
        command === undefined
          ? { type: 'text', text: 'done' }
          : { type: 'tool_use', id: `toolu_${turn}`, name: 'bash', input: { command } }
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [content],
        stop_reason: command === undefined ? 'end_turn' : 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }
      return Response.json(message)
    },
  })
  await client.beta.messages.toolRunner(
    {
      model: 'scripted',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'go' }],
      tools: [anthropicTool(tool, context)],
    },
    signal && { signal },
  )
  return read
}

export const agentLoops: [sdk: string, AgentLoop][] = [
  ['the AI SDK', aiLoop],
  ['OpenAI Agents', openaiLoop],
  ['the Anthropic SDK', anthropicLoop],
]
