// OpenAI's Responses: what a client asks, and how it is answered.

/** @type {import('./protocols.mjs').Protocol} */
export const responses = {
  matches: (path) => /\/responses$/.test(path),
  isStreamed: ({ body }) => body.stream === true,
  toolsOf: ({ tools = [], input = [] }) =>
    [...tools, ...itemsOf(input, addedTools).flatMap((item) => item.tools)].flatMap(toolsIn),
  resultsOf: ({ input = [] }) =>
    itemsOf(input, outputs).map(({ call_id, output }) => ({
      id: call_id,
      text:
        typeof output === 'string' ? output : output.map((part) => part.text ?? `[${part.type}]`).join('\n'),
      // The protocol has no place for it.
      isError: undefined,
    })),
  answer: ({ text, call }, { model }) => ({
    id: `resp_${Date.now()}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    model,
    output: [
      call
        ? {
            id: `fc_${call.id}`,
            call_id: call.id,
            name: call.name,
            ...(call.namespace && { namespace: call.namespace }),
            ...(call.program === undefined
              ? { type: 'function_call', arguments: JSON.stringify(call.input) }
              : { type: 'custom_tool_call', input: call.program }),
            status: 'completed',
          }
        : {
            type: 'message',
            id: `msg_${Date.now()}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
    ],
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  }),
  events: (response) => {
    const [item] = response.output
    const begun = { ...response, status: 'in_progress', output: [], usage: null }
    const { started, pieces } = partsOf(item)
    const events = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      { type: 'response.output_item.added', output_index: 0, item: { ...started, status: 'in_progress' } },
      ...pieces,
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]
    return events.map((event, sequence_number) => ({
      event: event.type,
      data: { ...event, sequence_number },
    }))
  },
}

const addedTools = /^additional_tools$/
const outputs = /^(function|custom_tool)_call_output$/

const itemsOf = (input, types) => (Array.isArray(input) ? input : []).filter(({ type }) => types.test(type))

const toolsIn = ({ type, name = type, description, tools }) =>
  type === 'namespace'
    ? tools.flatMap(toolsIn).map((inner) => ({ ...inner, namespace: name }))
    : [{ name, description, runsPrograms: type === 'custom' && name === 'exec' }]

/** What an item begins with, and the events by which it comes. */
const partsOf = (item) => {
  const place = { item_id: item.id, output_index: 0 }
  if (item.type === 'custom_tool_call') return { started: { ...item, input: '' }, pieces: [] }
  if (item.type === 'function_call') {
    const type = 'response.function_call_arguments'
    return {
      started: { ...item, arguments: '' },
      pieces: [
        { type: `${type}.delta`, ...place, delta: item.arguments },
        { type: `${type}.done`, ...place, arguments: item.arguments },
      ],
    }
  }
  const [part] = item.content
  const inPart = { ...place, content_index: 0 }
  return {
    started: { ...item, content: [] },
    pieces: [
      { type: 'response.content_part.added', ...inPart, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...inPart, delta: part.text },
      { type: 'response.output_text.done', ...inPart, text: part.text },
      { type: 'response.content_part.done', ...inPart, part },
    ],
  }
}
