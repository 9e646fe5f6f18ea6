// Anthropic's Messages: what a client asks, and how it is answered.

/** @typedef {import('./protocols.mjs').Protocol} Protocol */

/** @type {Protocol} */
export const anthropic = {
  matches: (path) => /\/v1\/messages$/.test(path),
  isStreamed: ({ body }) => body.stream === true,
  toolsOf: ({ tools = [] }) => tools.map(({ name, description }) => ({ name, description })),
  resultsOf: ({ messages = [] }) =>
    messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({
        id: block.tool_use_id,
        text: textOf(block.content),
        isError: block.is_error === true,
      })),
  answer: ({ text, call }, { model }) => {
    const content = call
      ? { type: 'tool_use', id: call.id, name: call.name, input: call.input }
      : { type: 'text', text }
    const stopReason = call ? 'tool_use' : 'end_turn'
    return {
      id: `msg_${Date.now()}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [content],
      stop_reason: stopReason,
      stop_sequence: null,
      usage,
    }
  },
  events: (message) => {
    const [content] = message.content
    const isCall = content.type === 'tool_use'
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(content.input) }
      : { type: 'text_delta', text: content.text }
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: isCall ? { ...content, input: {} } : { ...content, text: '' },
      },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    return events.map((event) => ({ event: event.type, data: event }))
  },
}

const usage = { input_tokens: 1, output_tokens: 1 }

/** A result is a text, or blocks of which some are texts. */
const textOf = (content) =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
