// A model for the snippets that need one.

/** `model`, for the AI SDK: calls `bash` with `pwd`, and says what it read. */
export const scriptedModel = `
  import { MockLanguageModelV4 } from 'ai/test'
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const answer = (content, unified) => ({ content: [content], finishReason: { unified }, usage, warnings: [] })
  const input = JSON.stringify({ command: 'pwd' })
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { role, content } = prompt.at(-1)
      return role === 'tool'
        ? answer({ type: 'text', text: 'in ' + content[0].output.value }, 'stop')
        : answer({ type: 'tool-call', toolCallId: '1', toolName: 'bash', input }, 'tool-calls')
    },
  })
`
