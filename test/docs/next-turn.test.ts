// How the end of a job reaches the next turn: the snippets of the adapters' pages, with models that say what they have read.
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { runModule, snippetWith } from './snippets.js'

afterEach(removeTempDirs)

/** A job that fails; `signal` is aborted once the model has answered. */
const job = (directory: string) => `
  import { createBashTool, JobStore } from 'bashward'
  const store = new JobStore({ directory: ${JSON.stringify(directory)} })
  const conversationId = 'talk 1'
  const context = { workingDir: '/', conversationId }
  const bash = createBashTool({ jobs: store })
  const { jobId } = await bash.execute({ command: 'echo 1 test failed; exit 3', mode: 'background' }, context)
  const stop = new AbortController()
  const { signal } = stop
  // A program that hangs would hang the test.
  setTimeout(() => process.exit(7), 40_000).unref()`

/** Prints who has said something, and whatever is told again. */
const after = `
  console.log(messages.map(({ role }) => role).join(' '))
  for await (const { type } of store.watch({ consumer: conversationId, jobId })) console.log('told again', type)`

const run = (page: string, prelude: string): string =>
  runModule(`${job(tempDir())}\n${prelude}\n${snippetWith(page, 'js', 'store.watch')}\n${after}`)

const sentence = String.raw`\[job bash_\w+ ended: exit code 3 after \d+(\.\d)?s; last lines: 1 test failed\]`

test('the AI SDK', () => {
  const prelude = `
    import { MockLanguageModelV4 } from 'ai/test'
    import { aiTool } from 'bashward/ai'
    const tools = { bash: aiTool(bash, context) }
    const messages = [{ role: 'user', content: 'Run the tests.' }, { role: 'assistant', content: 'They run.' }]
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        stop.abort()
        const content = [{ type: 'text', text: 'read ' + prompt.at(-1).content[0].text }]
        return { content, finishReason: { unified: 'stop' }, usage, warnings: [] }
      },
    })`

  expect(run('ai', prelude)).toMatch(new RegExp(`^read ${sentence}\nuser assistant user assistant\n$`))
})

test('the Anthropic SDK', () => {
  const prelude = `
    import Anthropic from '@anthropic-ai/sdk'
    import { anthropicTool } from 'bashward/anthropic'
    const tools = [anthropicTool(bash, context)]
    let messages = [{ role: 'user', content: 'Run the tests.' }, { role: 'assistant', content: 'They run.' }]
    const fetch = async (_, { body }) => {
      stop.abort()
      const content = [{ type: 'text', text: 'read ' + JSON.parse(body).messages.at(-1).content }]
      const usage = { input_tokens: 1, output_tokens: 1 }
      return Response.json({ id: 'm', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage })
    }
    const client = new Anthropic({ apiKey: 'none', fetch })`

  expect(run('anthropic', prelude)).toMatch(
    new RegExp(`text: 'read ${sentence}'[^]*\nuser assistant user assistant\n$`),
  )
})

test('OpenAI Agents', () => {
  const prelude = `
    import { Agent, assistant, setTracingDisabled, user as person } from '@openai/agents'
    import { assistantMessage, modelResponse, ScriptedModel } from '@openai/agents/testing'
    import { openaiTool } from 'bashward/openai'
    setTracingDisabled(true)
    const model = new ScriptedModel([modelResponse([assistantMessage('I look at it.')])])
    const agent = new Agent({ name: 'shell', model, tools: [openaiTool(bash, context)] })
    agent.on('agent_end', () => stop.abort())
    let messages = [person('Run the tests.'), assistant('They run.')]`
  const read = 'console.log(JSON.stringify(model.lastCall.request.input.at(-1).content))'
  const printed = runModule(
    `${job(tempDir())}\n${prelude}\n${snippetWith('openai', 'js', 'store.watch')}\n${read}\n${after}`,
  )

  expect(printed).toMatch(new RegExp(`^I look at it\\.\n.*${sentence}.*\nuser assistant user assistant\n$`))
})
