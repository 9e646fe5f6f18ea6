// The recipes of docs/ for frameworks that are too large to be installed with every checkout: what each needs, and a
// program that follows its first snippet and checks a command, an invalid input and a cancel. `typed`: the compiler checks
// all of them, and `given` is what they take for granted. A recipe of several files has a `program` that checks them, run in
// the directory where they are.

import { temporalFiles } from './temporal/files.mjs'

const common = `
  import assert from 'node:assert'
  import { execFileSync } from 'node:child_process'

  const marker = '300.' + process.pid
  const isRunning = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\\n').includes('sleep ' + marker)
  /** Calls with a signal that is aborted when the command runs, and waits until it is gone. */
  const checkCancel = async (call) => {
    const abort = new AbortController()
    const calling = Promise.resolve(call('setsid -f sleep ' + marker + '; sleep ' + marker, abort.signal)).catch(() => {})
    const deadline = Date.now() + 30_000
    while (!isRunning() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
    assert(isRunning(), 'the command has not started')
    abort.abort()
    await calling
    while (isRunning() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
    assert(!isRunning(), 'the command is still there')
  }`

export const recipes = [
  {
    page: 'langchain',
    packages: { '@langchain/core': '1.4.0' },
    check: `${common}
      const call = (args, config) => bashTool.invoke({ type: 'tool_call', id: '1', name: 'bash', args }, config)
      const failed = await call({ command: 'pwd; exit 3' })
      assert.equal(failed.content, '[command failed: exit code 3]\\n/usr\\n')
      assert.deepEqual([failed.status, failed.tool_call_id, failed.name], ['error', '1', 'bash'])
      assert.notEqual((await call({ command: 'pwd' })).status, 'error')
      assert.notEqual((await call({ command: 'grep x /dev/null' })).status, 'error')
      assert.equal(await bashTool.invoke({ command: 'exit 3' }), '[command failed: exit code 3]\\n')
      await assert.rejects(call({ command: 'true', mode: 'fast' }))
      await checkCancel((command, signal) => call({ command }, { signal }))`,
  },
  {
    page: 'google-genai',
    packages: { '@google/genai': '3.1.0' },
    check: `${common}
      import { createServer } from 'node:http'
      import { once } from 'node:events'
      import { GoogleGenAI } from '@google/genai'

      const script = [{ command: 'pwd' }, { command: 'true', mode: 'fast' }]
      const responses = []
      const server = createServer(async (request, response) => {
        let body = ''
        for await (const chunk of request) body += chunk
        const { contents, tools } = JSON.parse(body)
        assert.equal(tools[0].functionDeclarations[0].name, 'bash')
        const last = contents.at(-1).parts[0].functionResponse
        if (last !== undefined) responses.push(last.response.output)
        const args = script.shift()
        const part = args === undefined ? { text: 'done' } : { functionCall: { id: '1', name: 'bash', args } }
        const content = { role: 'model', parts: [part] }
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ candidates: [{ content, finishReason: 'STOP' }] }))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const baseUrl = 'http://127.0.0.1:' + server.address().port
      const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } })
      const { text } = await ai.models.generateContent({ model: 'm', contents: 'go', config: { tools: [bashTool] } })
      server.close()
      assert.equal(text, 'done')
      assert.equal(responses[0], '/usr\\n')
      assert.match(responses[1], /^\\[invalid input: mode: must be one of/)
      await checkCancel(async (command, signal) => {
        context.cancel = signal
        await bashTool.callTool([{ name: 'bash', args: { command } }])
      })`,
  },
  {
    page: 'mastra',
    packages: { '@mastra/core': '1.71.0', zod: '4.6.7' },
    check: `${common}
      const call = (input, options) => bashTool.execute(input, options)
      assert.equal(await call({ command: 'pwd; exit 3' }), '[command failed: exit code 3]\\n/usr\\n')
      assert.match(JSON.stringify(await call({ command: 'true', mode: 'fast' })), /mode: must be one of/)
      await checkCancel((command, abortSignal) => call({ command }, { abortSignal }))`,
  },
  {
    // Asking needs a key: that the options are right is the compiler's word, and what they start is tested by itself.
    page: 'claude-agent-sdk',
    packages: { '@anthropic-ai/claude-agent-sdk': '0.3.330' },
    typed: {
      given:
        '/** @type {(...question: unknown[]) => Promise<boolean>} */ const askPerson = async () => false',
    },
    check: `
      import { spawnSync } from 'node:child_process'
      import assert from 'node:assert'
      const { args } = options.mcpServers.bashward
      const { status, stderr } = spawnSync('npx', [...args], { input: '', encoding: 'utf8' })
      assert.equal(status, 0, stderr)`,
  },
  {
    // The bridge of the harness wants these packages, and finds them here.
    page: 'ai-harnesses',
    packages: {
      '@agentclientprotocol/sdk': '1.4.0',
      '@ai-sdk/harness': '1.0.100',
      '@ai-sdk/harness-acp': '1.0.38',
      '@modelcontextprotocol/sdk': '1.30.0',
      ws: '8.21.0',
      zod: '4.4.3',
    },
    files: () => ({}),
    program: 'harnesses/check.mjs',
  },
  {
    page: 'temporal',
    packages: {
      '@grpc/grpc-js': '1.14.7',
      '@temporalio/activity': '1.24.0',
      '@temporalio/proto': '1.24.0',
      '@temporalio/worker': '1.24.0',
      '@temporalio/workflow': '1.24.0',
    },
    files: temporalFiles,
    program: 'temporal/check.mjs',
  },
  {
    page: 'pod',
    packages: { 'kubernetes-types': '1.30.0', yaml: '2.9.1' },
    files: () => ({}),
    program: 'pod/check.mjs',
  },
]
