// The scripted model: each protocol as its clients speak it, over HTTP.
import { ownNameOf, startModelServer } from './model-server.mjs'

type Call = { tool: string; input: object }

let close: (() => Promise<void>) | undefined

afterEach(async () => {
  await close?.()
  close = undefined
})

const start = async (calls: Call[]) => {
  const server = await startModelServer((shown: unknown[]) => calls[shown.length])
  close = server.close
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    return await response.text()
  }
  return { ...server, ask, askJson: async (path: string, body: object) => JSON.parse(await ask(path, body)) }
}

/** The data of server-sent events. */
const dataOf = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => (data === '[DONE]' ? data : JSON.parse(data)))

const echo = { tool: 'bash', input: { command: 'echo hello' } }
const words = '{"command":"echo hello"}'

test.each([
  [{ name: 'mcp__bashward__bash' }, 'bash'],
  [{ name: 'bash_output', namespace: 'mcp__bashward' }, 'bash_output'],
  [{ name: 'bashward-kill_bash' }, 'kill_bash'],
  [{ name: 'mcp_bashward_bash' }, 'bash'],
  [{ name: 'bash' }, undefined],
  [{ name: 'read_bash' }, undefined],
])('%j is %s', (tool, name) => {
  expect(ownNameOf(tool)).toBe(name)
})

test('Messages', async () => {
  const { ask, askJson, record } = await start([echo])
  const tools = ['Bash', 'mcp__bashward__bash'].map((name) => ({ name }))
  const events = dataOf(
    await ask('/v1/messages?beta=true', { model: 'm', stream: true, tools, messages: [] }),
  )

  expect(events.map(({ type }) => type)).toEqual([
    ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
    ...['message_delta', 'message_stop'],
  ])
  expect(events[1].content_block).toEqual({
    type: 'tool_use',
    id: 'call_0',
    name: 'mcp__bashward__bash',
    input: {},
  })
  expect(events[2].delta.partial_json).toBe(words)
  const result = {
    type: 'tool_result',
    tool_use_id: 'call_0',
    is_error: true,
    content: [{ type: 'text', text: 'read' }],
  }
  const end = await askJson('/v1/messages', { model: 'm', tools, messages: [{ content: [result] }] })

  expect(end).toMatchObject({ content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' })
  expect(record).toMatchObject({
    protocol: 'anthropic',
    shown: [{ text: 'read', isError: true, afterMs: expect.any(Number) }],
  })
})

test('Responses, with tools in namespaces', async () => {
  const { ask, askJson, record } = await start([echo])
  const tools = [
    { type: 'namespace', name: 'mcp__bashward', tools: [{ name: 'bash' }] },
    { type: 'web_search' },
  ]
  const events = dataOf(await ask('/v1/responses', { model: 'm', stream: true, tools, input: [] }))

  expect(events.at(-2)).toMatchObject({
    type: 'response.output_item.done',
    item: {
      type: 'function_call',
      call_id: 'call_0',
      name: 'bash',
      namespace: 'mcp__bashward',
      arguments: words,
    },
  })
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } })
  const input = [{ type: 'function_call_output', call_id: 'call_0', output: 'read' }]

  expect((await askJson('/v1/responses', { model: 'm', tools, input })).output[0].content[0].text).toBe(
    'done',
  )
  expect(record.shown).toEqual([
    { id: 'call_0', text: 'read', isError: undefined, afterMs: expect.any(Number) },
  ])
})

test('Responses of a client whose model writes programs that call tools', async () => {
  const { ask, askJson, record } = await start([echo])
  const tools = [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }]
  const input = [{ type: 'additional_tools', tools }]
  const events = dataOf(await ask('/v1/responses', { model: 'm', stream: true, input }))

  expect(events.at(-2).item).toMatchObject({
    ...{ type: 'custom_tool_call', call_id: 'call_0', name: 'exec', namespace: 'functions' },
    input: `text(await tools.mcp__bashward__bash(${words}))`,
  })
  const output = { type: 'custom_tool_call_output', call_id: 'call_0', output: [{ text: 'read' }] }
  await askJson('/v1/responses', { model: 'm', input: [...input, output] })

  expect(record.shown[0]?.text).toBe('read')
})

test('Chat Completions', async () => {
  const { ask, askJson, record } = await start([echo])
  const tools = [{ type: 'function', function: { name: 'bashward_bash' } }]
  const events = dataOf(await ask('/v1/chat/completions', { model: 'm', stream: true, tools, messages: [] }))

  expect(events[0].choices[0].delta.tool_calls).toEqual([
    { index: 0, id: 'call_0', type: 'function', function: { name: 'bashward_bash', arguments: words } },
  ])
  expect(events[1].choices[0].finish_reason).toBe('tool_calls')
  expect(events.at(-1)).toBe('[DONE]')
  const messages = [{ role: 'tool', tool_call_id: 'call_0', content: [{ type: 'text', text: 'read' }] }]
  const end = await askJson('/v1/chat/completions', { model: 'm', tools, messages })

  expect(end.choices[0].message.content).toBe('done')
  expect(record.shown[0]?.text).toBe('read')
})

test('generateContent', async () => {
  const { ask, askJson, record } = await start([echo, echo])
  const tools = [{ functionDeclarations: [{ name: 'mcp_bashward_bash' }] }]
  const path = '/v1beta/models/gemini-2.5-pro'
  const [event] = dataOf(await ask(`${path}:streamGenerateContent?alt=sse`, { tools, contents: [] }))
  const { functionCall } = event.candidates[0].content.parts[0]

  expect(functionCall).toEqual({ id: 'call_0', name: 'mcp_bashward_bash', args: { command: 'echo hello' } })
  const parts = [
    { functionResponse: { id: 'call_0', response: { output: 'read' } } },
    { functionResponse: { id: 'call_1', response: { error: 'failed' } } },
  ]
  await askJson(`${path}:generateContent`, { tools, contents: [{ parts: parts.slice(0, 1) }] })
  await askJson(`${path}:generateContent`, { tools, contents: [{ parts }] })

  expect(record.shown).toMatchObject([
    { text: 'read', isError: false },
    { text: 'failed', isError: true },
  ])
})

test('the same request has the same answer, and one without our tools ends at once', async () => {
  const { askJson, record } = await start([echo])
  const tools = [{ name: 'mcp__bashward__bash' }]
  const [first, again] = [
    await askJson('/v1/messages', { tools, messages: [] }),
    await askJson('/v1/messages', { tools, messages: [] }),
  ]

  expect(again.content).toEqual(first.content)
  expect(await askJson('/v1/messages', { messages: [] })).toMatchObject({ content: [{ text: 'ok' }] })
  expect(record.shown).toEqual([])
})

test('tools that a client does not show are searched for, a few times', async () => {
  const { askJson, record } = await start([echo])
  const tools = [{ name: 'ToolSearch' }]
  const results = (length: number) => Array.from({ length }, () => ({ content: [{ type: 'tool_result' }] }))
  const ask = (length: number) => askJson('/v1/messages', { tools, messages: results(length) })

  expect((await ask(0)).content[0]).toMatchObject({ name: 'ToolSearch', input: { query: 'bashward' } })
  expect((await ask(5)).content[0]).toMatchObject({ text: 'ok' })
  expect(record.searched).toBe(true)
})

test('a tool that is missing is told, and the turn ends', async () => {
  const { askJson, record } = await start([{ tool: 'kill_bash', input: {} }])
  const end = await askJson('/v1/messages', { tools: [{ name: 'mcp__bashward__bash' }], messages: [] })

  expect(end.content[0].text).toBe('done')
  expect(record.missing).toBe('kill_bash')
})
