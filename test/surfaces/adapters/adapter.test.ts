// A conversation's context on its way through an adapter: nothing gets lost, and nothing is made up.

import { createBashTool, loadPolicy, type Tool, type ToolContext } from '../../../lib/index.js'
import { aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { anthropicTool } from '../../../lib/surfaces/adapters/anthropic.js'
import { openaiTool } from '../../../lib/surfaces/adapters/openai.js'

const received: ToolContext[] = []

/** A tool that tells which context it gets. */
const tool: Tool<unknown, { status: string }> = {
  ...createBashTool(),
  description: () => '',
  toText: () => '',
  async execute(_, context) {
    received.push(context as ToolContext)
    return { status: 'completed' }
  },
  async *stream(input, context) {
    yield { type: 'result', result: await this.execute(input, context) }
  },
}

type Context = Parameters<typeof aiTool<unknown, { status: string }>>[1]

/** One call through each adapter, with what its framework says of the call. */
const adapters: [string, (context: Context, signal?: AbortSignal) => Promise<unknown>][] = [
  [
    'aiTool',
    async (context, abortSignal) => {
      const options = { toolCallId: 'id', messages: [], abortSignal, experimental_context: {} }
      for await (const _ of aiTool(tool, context).execute({}, options as never));
    },
  ],
  [
    'anthropicTool',
    async (context, signal) =>
      await anthropicTool(tool, context).run({}, { toolUse: { id: 'id' }, signal } as never),
  ],
  [
    'openaiTool',
    async (context, signal) =>
      await openaiTool(tool, context).invoke({} as never, '{}', {
        toolCall: { callId: 'id' },
        signal,
      } as never),
  ],
]

beforeEach(() => {
  received.length = 0
})

describe.each(adapters)('%s', (_, call) => {
  test("hands the conversation on, with the framework's id of the call", async () => {
    await call({ workingDir: '/', sandbox: 'restricted' })

    expect(received).toMatchObject([{ workingDir: '/', sandbox: 'restricted', toolCallId: 'id' }])
  })

  test('knows the fields that a class has', async () => {
    class Conversation {
      readonly workingDir = '/'
      get sandbox() {
        return 'restricted' as const
      }
    }
    await call(new Conversation())

    expect(received).toMatchObject([{ workingDir: '/', sandbox: 'restricted' }])
  })

  test('follows a context that changes', async () => {
    const context: Context = { workingDir: '/', sandbox: 'unrestricted' }
    await call(context)
    context.sandbox = 'restricted'
    await call(context)

    expect(received.map(({ sandbox }) => sandbox)).toEqual(['unrestricted', 'restricted'])
  })

  test('what a call adds to the rules is for the conversation', async () => {
    const policy = loadPolicy({ rules: [{ prefix: ['npm', 'test'], decision: 'allow' }] })
    const context: Context = { workingDir: '/' }
    await call(context)
    const [first] = received
    if (first !== undefined) first.policy = policy
    await call(context)

    expect([context.policy, received[1]?.policy]).toEqual([policy, policy])
  })

  test.each(['the conversation', 'the framework'])('%s can cancel a call', async (who) => {
    const [own, frameworks] = [new AbortController(), new AbortController()]
    const running = call({ workingDir: '/', cancel: own.signal }, frameworks.signal)
    const { cancel } = received[0] as ToolContext
    const before = cancel?.aborted
    ;(who === 'the conversation' ? own : frameworks).abort()

    expect([before, cancel?.aborted]).toEqual([false, true])
    await running
  })
})
