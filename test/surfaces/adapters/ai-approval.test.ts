// The approvals of the AI SDK with the real thing and a scripted model: a call that asks runs once a person has approved it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  convertToModelMessages,
  generateText,
  readUIMessageStream,
  streamText,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { createBashSuite, createBashTool, loadPolicy, type VerdictOptions } from '../../../lib/index.js'
import { aiApproval, aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { scriptedAiModel, scriptedAiStream } from './agent-loops.js'
import { answer, bashWith, type Settings, serverIn, user } from './ai-server.js'

let workingDir: string
beforeEach(() => {
  workingDir = tempDir()
})
afterEach(removeTempDirs)

const made = (name: string) => existsSync(join(workingDir, name))

const server = (verdicts?: VerdictOptions, settings?: Settings) => serverIn(workingDir, verdicts, settings)

describe('a tool with approval', () => {
  test('runs what only reads, without a question', async () => {
    const { asked, read } = await server()(user, ['call_1', 'echo hi'])

    expect([asked, read]).toEqual([[], [{ type: 'text', value: 'hi\n' }]])
  })

  test('runs what asks when it is approved, in another process too', async () => {
    const first = await server()(user, ['call_1', 'touch new'])
    const before = made('new')
    const [request] = first.asked
    const second = await server()([...first.history, answer(request?.approvalId, true)])

    expect([first.asked.length, before, made('new')]).toEqual([1, false, true])
    expect(second.read).toEqual([{ type: 'text', value: '[no output]' }])
  })

  test('does not run what a person denies, and the model reads why', async () => {
    const { history, asked } = await server()(user, ['call_1', 'touch new'])
    const { read } = await server()([...history, answer(asked[0]?.approvalId, false, 'not today')])

    expect(read[0]).toMatchObject({ type: 'execution-denied', reason: 'not today' })
    expect(made('new')).toBe(false)
  })

  test('rejects what a rule denies, without a question', async () => {
    const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny', why: 'files are kept' }] })
    const { asked, read } = await server({ policy })(user, ['call_1', 'touch new'])

    expect(asked).toEqual([])
    expect(read).toMatchObject([{ type: 'error-text', value: expect.stringContaining('files are kept') }])
    expect(made('new')).toBe(false)
  })

  test('rejects what a rule denies meanwhile, though it was approved', async () => {
    const { history, asked } = await server()(user, ['call_1', 'touch new'])
    const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny', why: 'files are kept' }] })
    const { read } = await server({ policy })([...history, answer(asked[0]?.approvalId, true)])

    expect(read[0]).toMatchObject({ value: expect.stringContaining('files are kept') })
    expect(made('new')).toBe(false)
  })

  test('does not ask its own approve() once more', async () => {
    let count = 0
    const approve = async () => {
      count += 1
      return { deny: 'no' }
    }
    const { history, asked } = await server({ approve })(user, ['call_1', 'touch new'])
    await server({ approve })([...history, answer(asked[0]?.approvalId, true)])

    expect([count, made('new')]).toEqual([0, true])
  })

  test('asks again for another call of the same id', async () => {
    const { history, asked } = await server()(user, ['call_1', 'touch one'])
    const again = await server()([...history, answer(asked[0]?.approvalId, true)], ['call_1', 'touch two'])

    expect([again.asked.length, made('one'), made('two')]).toEqual([1, true, false])
  })

  test('is not asked again for what a rule of the conversation allows from now on', async () => {
    const bash = bashWith({})
    const context: Parameters<typeof aiTool>[1] = { workingDir }
    const tools = { bash: aiTool(bash, context as { workingDir: string }, { approval: true }) }
    const run = async (command: string) => {
      const model = scriptedAiModel([{ toolCallId: 'call_1', input: { command } }])
      const { content } = await generateText({ model, tools, prompt: 'go' })
      return content.some(({ type }) => type === 'tool-approval-request')
    }
    const first = await run('mkdir one')
    const { suggestion } = await (bash.judge?.({ command: 'mkdir one' }, { workingDir }) ?? fail())
    context.policy = loadPolicy({
      rules: (suggestion ?? []).map((prefix) => ({ prefix, decision: 'allow' as const })),
    })

    expect([first, await run('mkdir two'), await run('touch new')]).toEqual([true, false, true])
    expect([made('one'), made('two'), made('new')]).toEqual([false, true, false])
  })

  test('runs what a person approves in a chat of the SDK', async () => {
    const tools = { bash: aiTool(bashWith({}), { workingDir }, { approval: true }) } satisfies ToolSet
    const calls = [{ toolCallId: 'call_1', input: { command: 'touch new' } }]
    const asking = streamText({ model: scriptedAiStream(calls), tools, messages: user })
    let message: UIMessage | undefined
    for await (const next of readUIMessageStream({ stream: asking.toUIMessageStream() })) message = next
    const [part] = message?.parts.filter(({ type }) => type === 'tool-bash') ?? []
    const { approval } = part as { approval: { id: string } }
    // As useChat() has it after the person has answered.
    Object.assign(part ?? {}, { state: 'approval-responded', approval: { ...approval, approved: true } })
    const chat = JSON.parse(JSON.stringify([message])) as UIMessage[]
    const messages = [...user, ...(await convertToModelMessages(chat, { tools }))]
    const before = made('new')
    await streamText({ model: scriptedAiStream([]), tools, messages }).consumeStream()

    expect([before, made('new')]).toEqual([false, true])
  })

  test('streams likewise', async () => {
    const tools = { bash: aiTool(bashWith({}), { workingDir }, { approval: true }) } satisfies ToolSet
    const first = streamText({
      model: scriptedAiStream([{ toolCallId: 'call_1', input: { command: 'touch new' } }]),
      tools,
      messages: user,
    })
    const [request] = (await first.content).flatMap((part) =>
      part.type === 'tool-approval-request' ? [part] : [],
    )
    const before = made('new')
    const { messages } = await first.response
    const second = streamText({
      model: scriptedAiStream([]),
      tools,
      messages: [...user, ...messages, answer(request?.approvalId, true)],
    })

    expect([await second.text, before, made('new')]).toEqual(['done', false, true])
  })
})

describe('aiApproval', () => {
  const toolApproval = (verdicts: VerdictOptions = {}) => ({
    toolApproval: { bash: aiApproval(bashWith(verdicts), { workingDir }) },
  })

  test('says why a call asks, and its approval counts', async () => {
    const { history, asked } = await server({}, toolApproval())(user, ['call_1', 'touch new'])
    const before = made('new')
    await server({}, toolApproval())([...history, answer(asked[0]?.approvalId, true)])

    expect(asked).toMatchObject([{ reason: expect.stringMatching(/^`touch new`/) }])
    expect([before, made('new')]).toEqual([false, true])
  })

  test('denies what a rule denies, and the model reads why', async () => {
    const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny', why: 'files are kept' }] })
    const { read } = await server({ policy }, toolApproval({ policy }))(user, ['call_1', 'touch new'])

    expect(read).toMatchObject([
      { type: 'execution-denied', reason: expect.stringContaining('files are kept') },
    ])
    expect(made('new')).toBe(false)
  })

  test('runs what only reads, without a question', async () => {
    const { asked, read } = await server({}, toolApproval())(user, ['call_1', 'echo hi'])

    expect([asked, read]).toEqual([[], [{ type: 'text', value: 'hi\n' }]])
  })

  test('leaves it to the tool to say what is wrong with a call', async () => {
    const ask = aiApproval(bashWith({}), { workingDir: '/nowhere' })

    expect(await ask({ command: 1 } as never, { toolCallId: '1' })).toBe('not-applicable')
  })
})

test('the model is told that a person is asked, though the tool itself can ask nobody', () => {
  const asked = 'A person is asked before each command'
  const context = { workingDir }

  expect(aiTool(bashWith({}), context, { approval: true }).description()).toContain(asked)
  expect(aiTool(bashWith({}), context).description()).not.toContain(asked)
})

describe('a mistake is told when the tool is made', () => {
  test('a tool without verdicts would ask nobody', () => {
    const bash = createBashTool()

    expect(() => aiTool(bash, { workingDir }, { approval: true })).toThrow(/verdicts/)
    expect(() => aiApproval(bash, { workingDir })).toThrow(/verdicts/)
  })

  test('an option that is not known', () => {
    const options = { needsApproval: true } as never

    expect(() => aiTool(bashWith({}), { workingDir }, options)).toThrow(/needsApproval/)
    expect(() => aiTool(bashWith({}), { workingDir }, { approval: 'yes' } as never)).toThrow(/approval/)
  })

  test('the tools of a suite', () => {
    const { bash, killBash } = createBashSuite({ verdicts: {} })

    expect(aiTool(bash, { workingDir }, { approval: true }).needsApproval).toBeDefined()
    expect(() => aiTool(killBash, { workingDir }, { approval: true })).toThrow(/verdicts/)
  })
})
