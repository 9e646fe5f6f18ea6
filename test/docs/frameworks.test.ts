// The snippets of the adapters' pages, executed with scripted models.
import { realpathSync } from 'node:fs'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from '../support/workspace.js'
import { scriptedModel } from './scripted-model.js'
import { runModule, snippetWith } from './snippets.js'

afterEach(removeTempDirs)

test('the AI SDK', () => {
  expect(runModule(scriptedModel + snippetWith('ai', 'js', 'generateText'))).toBe('in /usr\n\n')
})

test("the AI SDK's tools of a suite", () => {
  const print = 'console.log(Object.values(tools).map(({ description }) => description().length > 0))'

  expect(runModule(`${snippetWith('ai', 'js', 'createBashSuite')}\n${print}`)).toBe('[ true, true, true ]\n')
})

test("the AI SDK's SandboxSession", () => {
  // Restricted, or refused where there is no such mode: either way nothing is written.
  expect(runModule(snippetWith('ai', 'js', 'sandboxSession'))).toMatch(/^1(?:25)? .*sandbox/is)
})

test("a process of the AI SDK's SandboxSession that reads", () => {
  expect(runModule(snippetWith('ai', 'js', 'getWriter'))).toBe('apple\npear\n { exitCode: 0 }\n')
})

test('the Anthropic SDK', () => {
  const settings = `
    const fetch = async (_, { body }) => {
      const { content } = JSON.parse(body).messages.at(-1)
      const block = Array.isArray(content)
        ? { type: 'text', text: 'in ' + content[0].content }
        : { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'pwd' } }
      const stop_reason = Array.isArray(content) ? 'end_turn' : 'tool_use'
      const usage = { input_tokens: 1, output_tokens: 1 }
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [block], stop_reason, usage }
      return Response.json(message)
    }
    const settings = { apiKey: 'none', fetch }`

  expect(runModule(`${settings}\n${snippetWith('anthropic', 'js', 'toolRunner')}`)).toContain(
    String.raw`text: 'in /usr\n'`,
  )
})

test("what takes the place of the Anthropic SDK's bash", () => {
  expect(runModule(snippetWith('anthropic', 'js', 'betaBashTool'))).toBe(
    "bash [ 'command', 'restart', 'timeout_ms' ]\n",
  )
})

test('OpenAI Agents', () => {
  const model = `
    import { setTracingDisabled } from '@openai/agents'
    import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing'
    setTracingDisabled(true)
    const model = new ScriptedModel([
      modelResponse([functionCall('bash', { command: 'pwd' }, { callId: '1' })]),
      modelResponse([assistantMessage('done')]),
    ])`
  const print = 'console.log(model.lastCall.request.input.at(-1).output)'

  expect(runModule(`${model}\n${snippetWith('openai', 'js', 'openaiTool')}\n${print}`)).toMatch(
    /^done\n.*\/usr\\n/s,
  )
})

test("OpenAI Agents' shell tool", () => {
  expect(runModule(snippetWith('openai', 'js', 'openaiShell'))).toMatch(
    /outcome: \{ type: 'exit', exitCode: /,
  )
})

testWorkspace('a sandbox for OpenAI Agents', async () => {
  const model = `
    import { setTracingDisabled } from '@openai/agents'
    import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing'
    setTracingDisabled(true)
    const model = new ScriptedModel([
      modelResponse([functionCall('exec_command', { cmd: 'pwd' }, { callId: '1' })]),
      modelResponse([assistantMessage('done')]),
    ])`
  const snippet = snippetWith('openai-sandbox', 'js', 'SandboxAgent').replace(
    '/srv/project',
    realpathSync(tempDir()),
  )
  const print = 'console.log(model.lastCall.request.input.at(-1).output)'

  expect(runModule(`${model}\n${snippet}\n${print}`)).toMatch(/^done\n.*exited with code 0/s)
})

testWorkspace('a program on a terminal, in a sandbox for OpenAI Agents', async () => {
  expect(runModule(snippetWith('openai-sandbox', 'js', 'tty: true'))).toMatch(
    /^Name: \n\[waits for a line: "bash"\]\nChunk ID: .*code 0\nOutput:\nAda\nHello Ada\n/s,
  )
})

testWorkspace('a sandbox for OpenAI Agents that goes on later', async () => {
  expect(runModule(snippetWith('openai-sandbox', 'js', 'deserializeSessionState'))).toMatch(
    /^built\n.*Process exited with code 3/s,
  )
})

test('the Agent Client Protocol', () => {
  const agentProcess = `
    import { agent } from '@agentclientprotocol/sdk'
    const agentProcess = agent({ name: 'scripted' })
      .onRequest('initialize', () => ({ protocolVersion: 1 }))
      .onRequest('session/new', () => ({ sessionId: 'session 1' }))
      .onRequest('session/prompt', async ({ params: { sessionId }, client }) => {
        const terminal = await client.createTerminal({ sessionId, command: 'pwd' })
        await terminal.waitForExit()
        const { output: text } = await terminal.currentOutput()
        const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
        await client.notify('session/update', { sessionId, update })
        return { stopReason: 'end_turn' }
      })`

  expect(runModule(`${agentProcess}\n${snippetWith('acp', 'js', 'acpTerminals')}`)).toBe('/usr\n\n')
})
