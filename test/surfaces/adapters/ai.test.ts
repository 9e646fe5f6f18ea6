// bashward/ai with the real AI SDK and a scripted model.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateText, isStepCount, streamText, type ToolSet } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { createBashSuite, createBashTool } from '../../../lib/index.js'
import { aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(() => {
  killLeftovers()
  removeTempDirs()
})

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

const toolCall = (input: unknown) => ({
  type: 'tool-call' as const,
  toolCallId: 'call_1',
  toolName: 'bash',
  input: JSON.stringify(input),
})

/** Calls the tool once, then says that it is done. */
const scriptedModel = (input: unknown) =>
  new MockLanguageModelV4({
    doGenerate: [
      {
        content: [toolCall(input)],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })

const tools = { bash: aiTool(createBashTool(), { workingDir: '/usr' }) } satisfies ToolSet

/** What the model has read of the call. */
const modelOutput = ({ doGenerateCalls }: MockLanguageModelV4): unknown => {
  const message = doGenerateCalls[1]?.prompt.at(-1)
  const part = message?.role === 'tool' ? message.content[0] : undefined
  return part?.type === 'tool-result' ? part.output : undefined
}

const generate = async (input: unknown) => {
  const model = scriptedModel(input)
  const result = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(2) })
  return { model, result }
}

test('a command runs, and the model reads the text of the tool', async () => {
  const { model, result } = await generate({ command: 'pwd' })

  expect(result.text).toBe('done')
  expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({ status: 'completed', output: '/usr\n' })
  expect(modelOutput(model)).toEqual({ type: 'text', value: '/usr\n' })
})

test('a failure is an error to the model', async () => {
  const { model } = await generate({ command: 'echo no; exit 3' })

  expect(modelOutput(model)).toEqual({ type: 'error-text', value: '[command failed: exit code 3]\nno\n' })
})

test('the model is told the schema and the description', async () => {
  const { model } = await generate({ command: 'true' })
  const [tool] = model.doGenerateCalls[0]?.tools ?? []

  expect(tool).toMatchObject({
    type: 'function',
    name: 'bash',
    description: expect.stringContaining('<pwd>/usr</pwd>'),
    inputSchema: { type: 'object', required: ['command'], additionalProperties: false },
  })
})

test('an invalid input does not run, and the model is told the field', async () => {
  const { model } = await generate({ command: 'true', mode: 'fast' })

  expect(JSON.stringify(modelOutput(model))).toContain('mode: must be one of default, slow, background')
})

test('an aborted call kills the command', async () => {
  const marker = uniqueSleep()
  const abort = new AbortController()
  const model = scriptedModel({ command: `setsid -f sleep ${marker}; sleep ${marker}` })
  const running = generateText({ model, tools, prompt: 'go', abortSignal: abort.signal })
  running.catch(() => {})
  await waitForSleep(marker, 2)
  abort.abort()

  await running.catch(() => {})
  await waitUntilGone(marker)
})

test('a stream shows the output as it comes', async () => {
  const gate = join(tempDir(), 'gate')
  const command = `echo one; until [ -e '${gate}' ]; do sleep .01; done; echo two`
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start' as const, warnings: [] },
          toolCall({ command }),
          {
            type: 'finish' as const,
            finishReason: { unified: 'tool-calls' as const, raw: undefined },
            usage,
          },
        ],
      }),
    }),
  })
  const { fullStream } = streamText({ model, tools, prompt: 'go' })
  const outputs: unknown[] = []
  for await (const part of fullStream) {
    if (part.type !== 'tool-result') continue
    outputs.push({ preliminary: part.preliminary, output: part.output })
    writeFileSync(gate, '')
  }

  expect(outputs[0]).toEqual({ preliminary: true, output: { status: 'running', output: 'one\n' } })
  expect(outputs.at(-1)).toMatchObject({ output: { status: 'completed', output: 'one\ntwo\n' } })
  expect((outputs.at(-1) as { preliminary?: boolean }).preliminary).not.toBe(true)
})

test('the tools of a suite are tools too', async () => {
  const { bash, bashOutput, killBash } = createBashSuite()
  const context = { workingDir: '/' }
  const suite = {
    Bash: aiTool(bash, context),
    BashOutput: aiTool(bashOutput, context),
    KillBash: aiTool(killBash, context),
  } satisfies ToolSet

  expect(
    suite.BashOutput.toModelOutput({ output: await lastOf(suite.BashOutput, { bash_id: 'bash_0' }) }),
  ).toEqual({
    type: 'error-text',
    value: expect.stringMatching(/^No background command with id bash_0 /),
  })
})

const lastOf = async <Input, Output>(
  { execute }: { execute(input: Input, options: never): AsyncIterable<Output> },
  input: Input,
): Promise<Output> => {
  let last: Output | undefined
  for await (const output of execute(input, { toolCallId: '1', messages: [], context: {} } as never))
    last = output
  return last as Output
}
