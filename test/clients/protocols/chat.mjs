// Chat Completions, which many servers of models speak: what a client asks, and how it is answered.

/** @type {import('./protocols.mjs').Protocol} */
export const chat = {
  matches: (path) => /\/chat\/completions$/.test(path),
  isStreamed: ({ body }) => body.stream === true,
  toolsOf: ({ tools = [] }) =>
    tools.map((tool) => tool.function).map(({ name, description }) => ({ name, description })),
  resultsOf: ({ messages = [] }) =>
    messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => ({
        id: tool_call_id,
        text:
          typeof content === 'string'
            ? content
            : content.map((part) => part.text ?? `[${part.type}]`).join('\n'),
        // The protocol has no place for it.
        isError: undefined,
      })),
  answer: ({ text, call }, { model }) => ({
    id: `chatcmpl-${Date.now()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: call
          ? {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: JSON.stringify(call.input) },
                },
              ],
            }
          : { role: 'assistant', content: text },
        finish_reason: call ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  events: ({ choices, usage, ...common }) => {
    const [{ message, finish_reason }] = choices
    const { tool_calls, ...plain } = message
    const calls = tool_calls && { tool_calls: tool_calls.map((each, index) => ({ index, ...each })) }
    const chunk = (delta, reason = null) => ({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
    const chunks = [
      chunk({ ...plain, ...calls }),
      chunk({}, finish_reason),
      { ...chunk({}), choices: [], usage },
    ]
    return [...chunks.map((data) => ({ data })), { data: '[DONE]' }]
  },
}
