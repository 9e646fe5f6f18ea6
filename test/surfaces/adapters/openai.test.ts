// bashward/openai with the real OpenAI Agents SDK and its scripted model.
import { Agent, type FunctionTool, Runner, shellTool } from '@openai/agents'
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing'
import { createBashTool } from '../../../lib/index.js'
import { openaiShell, openaiTool } from '../../../lib/surfaces/adapters/openai.js'
import {
  killLeftovers,
  sleepsWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'

afterEach(killLeftovers)

const runner = new Runner({ tracingDisabled: true })

describe('openaiTool', () => {
  const tool: FunctionTool = openaiTool(createBashTool(), { workingDir: '/usr' })

  const runTool = async (input: unknown, signal?: AbortSignal) => {
    const model = new ScriptedModel([
      modelResponse([functionCall('bash', JSON.stringify(input), { callId: 'call_1' })]),
      modelResponse([assistantMessage('done')]),
    ])
    const agent = new Agent({ name: 'test', model, tools: [tool] })
    const { finalOutput } = await runner.run(agent, 'go', signal && { signal })
    const items = model.lastCall?.request.input as { type: string; output?: { text?: string } | string }[]
    const item = items.find(({ type }) => type === 'function_call_result')
    const output = typeof item?.output === 'string' ? item.output : item?.output?.text
    return { model, finalOutput, output }
  }

  test('a command runs, and the model reads the text of the tool', async () => {
    expect(await runTool({ command: 'pwd' })).toMatchObject({ finalOutput: 'done', output: '/usr\n' })
  })

  test('a failure is told in the words of the tool', async () => {
    const { output } = await runTool({ command: 'echo no; exit 3' })

    expect(output).toBe('[command failed: exit code 3]\nno\n')
  })

  test('an invalid input does not run, and the model reads the real error', async () => {
    const { output } = await runTool({ command: 'true', mode: 'fast' })

    expect(output).toBe('[invalid input: mode: must be one of default, slow, background (got "fast")]')
  })

  test('the model is told the schema and the description', async () => {
    const { model } = await runTool({ command: 'true' })

    expect(model.firstCall?.request.tools).toMatchObject([
      {
        type: 'function',
        name: 'bash',
        description: expect.stringContaining('<pwd>/usr</pwd>'),
        strict: false,
        parameters: { type: 'object', required: ['command'], additionalProperties: false },
      },
    ])
  })

  test('an aborted run kills the command', async () => {
    const marker = uniqueSleep()
    const abort = new AbortController()
    const running = runTool({ command: `setsid -f sleep ${marker}; sleep ${marker}` }, abort.signal)
    running.catch(() => {})
    await waitForSleep(marker, 2)
    abort.abort()

    await running.catch(() => {})
    await waitUntilGone(marker)
  })
})

describe('openaiShell', () => {
  type Action = { commands: string[]; timeoutMs?: number; maxOutputLength?: number }

  const runShell = async (action: Action, options?: Parameters<typeof openaiShell>[1]) => {
    const model = new ScriptedModel([
      modelResponse([{ type: 'shell_call', callId: 'call_1', status: 'completed', action }]),
      modelResponse([assistantMessage('done')]),
    ])
    const shell = openaiShell({ workingDir: '/usr' }, options)
    await runner.run(new Agent({ name: 'test', model, tools: [shellTool({ shell })] }), 'go')
    const items = model.lastCall?.request.input as { type: string; output?: unknown }[]
    return items.find(({ type }) => type === 'shell_call_output')
  }

  test('runs the commands one after the other, with streams and exit codes', async () => {
    expect(await runShell({ commands: ['pwd', 'echo err >&2; exit 3', 'kill -SEGV $$'] })).toMatchObject({
      output: [
        { stdout: '/usr\n', stderr: '', outcome: { type: 'exit', exitCode: 0 } },
        { stdout: '', stderr: 'err\n', outcome: { type: 'exit', exitCode: 3 } },
        { stderr: '[command killed by SIGSEGV]\n', outcome: { type: 'exit', exitCode: 139 } },
      ],
    })
  })

  test('a timeout is an outcome, and ends the call', async () => {
    expect(
      await runShell({ commands: ['echo begun; sleep 300', 'echo never'], timeoutMs: 2000 }),
    ).toMatchObject({
      output: [{ stdout: 'begun\n', stderr: '', outcome: { type: 'timeout' } }],
    })
  })

  test('a fraction of a millisecond is a time, too', async () => {
    expect(await runShell({ commands: ['echo hi'], timeoutMs: 59_999.5 })).toMatchObject({
      output: [{ stdout: 'hi\n' }],
    })
  })

  test('output is cut as the model asks for it', async () => {
    const item = (await runShell({ commands: ['seq 10000'], maxOutputLength: 500 })) as unknown as {
      output: { stdout: string }[]
      maxOutputLength: number
    }

    expect(item.maxOutputLength).toBe(500)
    expect(item.output[0]?.stdout).toMatch(/^1\n2\n[\s\S]*\[output truncated: [\s\S]*\n10000\n$/)
    expect(item.output[0]?.stdout.length).toBeLessThanOrEqual(500)
  })

  test('a command that cannot run is told', async () => {
    expect(await runShell({ commands: ['\0'] })).toMatchObject({
      output: [{ stderr: expect.stringMatching(/^\[invalid input: command/), outcome: { exitCode: null } }],
    })
  })

  test('the cancel signal of its context kills a command', async () => {
    const marker = uniqueSleep()
    const abort = new AbortController()
    const shell = openaiShell({ workingDir: '/', cancel: abort.signal })
    const running = shell.run({ commands: [`setsid -f sleep ${marker}; sleep ${marker}`] })
    await waitForSleep(marker, 2)
    abort.abort()

    expect(await running).toMatchObject({ output: [{ stderr: '[command cancelled]\n' }] })
    expect(sleepsWith(marker)).toEqual([])
  })

  test('a wrong option is told at once', () => {
    expect(() => openaiShell({}, { timeout: 0 })).toThrow('timeout')
  })
})
