// bashward/anthropic with the real tool runner and a scripted model.
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import type { BetaToolUseBlock } from '@anthropic-ai/sdk/resources/beta'
import { BashSession, CallLedger, createBashTool, loadPolicy } from '../../../lib/index.js'
import { anthropicTool, betaBashTool } from '../../../lib/surfaces/adapters/anthropic.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(() => {
  killLeftovers()
  removeTempDirs()
})

type Tools = Parameters<Anthropic['beta']['messages']['toolRunner']>[0]['tools']

interface ToolResult {
  type: string
  content: string
  is_error?: boolean
}

interface Request {
  tools: { name: string; description: string; input_schema: object }[]
  messages: { role: string; content: ToolResult[] }[]
}

/** A client whose model makes these calls, one after the other, and then says that it is done. */
const scriptedClient = (inputs: unknown[]) => {
  const requests: Request[] = []
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async (_, init) => {
      requests.push(JSON.parse(String(init?.body)) as Request)
      const isCall = requests.length <= inputs.length
      const content = isCall
        ? {
            type: 'tool_use',
            id: `toolu_${requests.length}`,
            name: 'bash',
            input: inputs[requests.length - 1],
          }
        : { type: 'text', text: 'done' }
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [content],
        stop_reason: isCall ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }
      return new Response(JSON.stringify(message), { headers: { 'content-type': 'application/json' } })
    },
  })
  return { client, requests }
}

const runTools = async (tools: Tools, inputs: unknown[], signal?: AbortSignal) => {
  const { client, requests } = scriptedClient(inputs)
  const runner = client.beta.messages.toolRunner(
    { model: 'scripted', max_tokens: 100, messages: [{ role: 'user', content: 'go' }], tools },
    signal && { signal },
  )
  const last = await runner
  const results = requests.slice(1).map(({ messages }) => messages.at(-1)?.content[0])
  return { last, requests, results }
}

describe('anthropicTool', () => {
  const tool = anthropicTool(createBashTool(), { workingDir: '/usr' })

  test('a command runs, and the model reads the text of the tool', async () => {
    const { last, results } = await runTools([tool], [{ command: 'pwd' }])

    expect(last.content).toMatchObject([{ type: 'text', text: 'done' }])
    expect(results).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1', content: '/usr\n' }])
    expect(results[0]?.is_error).not.toBe(true)
  })

  test('a failure is an error to the model, with the text of the tool', async () => {
    const { results } = await runTools([tool], [{ command: 'echo no; exit 3' }])

    expect(results).toMatchObject([{ content: '[command failed: exit code 3]\nno\n', is_error: true }])
  })

  test('an invalid input does not run, and the model is told the field', async () => {
    const { results } = await runTools([tool], [{ command: 'true', mode: 'fast' }])

    expect(results).toMatchObject([
      {
        content: '[invalid input: mode: must be one of default, slow, background (got "fast")]',
        is_error: true,
      },
    ])
  })

  test('the model is told the schema and the description', async () => {
    const { requests } = await runTools([tool], [])

    expect(requests[0]?.tools).toEqual([
      {
        type: 'custom',
        name: 'bash',
        description: expect.stringContaining('<pwd>/usr</pwd>'),
        input_schema: expect.objectContaining({ type: 'object', required: ['command'] }),
      },
    ])
  })

  test('the description stays the same where a session moves on: the runner lets no tool change', async () => {
    const session = new BashSession({ workingDir: '/usr' })
    const moving = anthropicTool(createBashTool(), { workingDir: '/usr', session })

    const { last, results } = await runTools([moving], [{ command: 'cd bin' }, { command: 'pwd' }])

    expect(last.stop_reason).toBe('end_turn')
    expect(results[1]?.content).toBe('/usr/bin\n')
  })

  test('an aborted runner kills the command', async () => {
    const marker = uniqueSleep()
    const abort = new AbortController()
    const running = runTools(
      [tool],
      [{ command: `setsid -f sleep ${marker}; sleep ${marker}` }],
      abort.signal,
    )
    running.catch(() => {})
    await waitForSleep(marker, 2)
    abort.abort()

    await running.catch(() => {})
    await waitUntilGone(marker)
  })
})

describe('betaBashTool', () => {
  test('commands share a session until it is restarted', async () => {
    const { results } = await runTools(
      [betaBashTool({ workdir: '/usr' })],
      [
        { command: 'cd bin; name=value' },
        { command: 'echo "$name in $PWD"' },
        { restart: true },
        { command: 'echo "$name in $PWD"' },
        { restart: true, command: 'echo again' },
      ],
    )

    expect(results.map((result) => result?.content)).toEqual([
      '[no output]',
      'value in /usr/bin\n',
      'bash session restarted',
      ' in /usr\n',
      'again\n',
    ])
  })

  test('with a ledger, a restart that is sent again leaves the session as it is', async () => {
    const calls = new CallLedger({ directory: join(tempDir(), 'calls') })
    const tool = betaBashTool({ workdir: '/usr', calls })
    const send = async (id: string, input: object) => {
      const toolUse = { type: 'tool_use', id, name: 'bash', input } as BetaToolUseBlock
      return await tool.run(input, { toolUse, toolUseBlock: toolUse })
    }
    await send('1', { restart: true, command: 'cd bin' })

    expect(await send('1', { restart: true, command: 'cd bin' })).toBe('[no output]')
    expect(await send('2', { command: 'pwd' })).toBe('/usr/bin\n')
    expect(await send('3', { restart: true, command: 'pwd' })).toBe('/usr\n')
  })

  test('timeout_ms is the timeout, and the session lives on', async () => {
    const { results } = await runTools(
      [betaBashTool({ workdir: '/' })],
      [{ command: 'name=value' }, { command: 'sleep 300', timeout_ms: 100 }, { command: 'echo "$name"' }],
    )

    expect(results).toMatchObject([
      { content: '[no output]' },
      {
        content: expect.stringMatching(
          /^\[command timed out after 0\.1s\]\n\[.* lost at the timeout; for more time: timeout_ms \(up to 600000\)\]$/,
        ),
        is_error: true,
      },
      { content: 'value\n' },
    ])
  })

  test('an invalid input is told', async () => {
    const inputs = [{ cmd: 'true' }, { command: 'tty', tty: true }]
    const { results } = await runTools([betaBashTool({ workdir: '/' })], inputs)

    expect(results).toMatchObject([
      { content: expect.stringMatching(/^\[invalid input: command/), is_error: true },
      { content: expect.stringMatching(/^\[invalid input: tty/), is_error: true },
    ])
  })

  test('asks as the tools do that it replaces, and remembers what is given to its conversation', async () => {
    const workdir = tempDir()
    const asked: string[] = []
    const tool = betaBashTool({
      workdir,
      verdicts: {
        reads: 'same',
        approve: async ({ command }) => {
          asked.push(command)
          return command.startsWith('touch') ? { deny: 'not today' } : 'always'
        },
        onRemember: (rule, context) => {
          if ('prefix' in rule) context.policy = loadPolicy({ rules: [rule] })
        },
      },
    })
    const commands = ['mkdir one', 'mkdir two', 'touch new', 'ls']
    const { results } = await runTools(
      [tool],
      commands.map((command) => ({ command })),
    )

    expect(asked).toEqual(['mkdir one', 'touch new'])
    expect(results.map((result) => result?.content)).toEqual([
      '[no output]',
      '[no output]',
      expect.stringContaining('not today'),
      'one\ntwo\n',
    ])
  })
})
