// Following a call of the exec tool: stream(), and onEvent of the context.
import type { BashEvent } from '../../lib/commands/run/result.js'
import type { ExecResult } from '../../lib/tools/exec-result.js'
import { createExecTool, type ExecContext } from '../../lib/tools/exec-tool.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'

afterEach(killLeftovers)

type ExecEvent = BashEvent<ExecResult>

const tool = createExecTool()

const collect = async (input: unknown, context?: ExecContext): Promise<ExecEvent[]> => {
  const events: ExecEvent[] = []
  for await (const event of tool.stream(input, context)) events.push(event)
  return events
}

const textOf = (events: ExecEvent[], stream: string): string =>
  events.map((event) => (event.type === 'output' && event.stream === stream ? event.text : '')).join('')

describe('stream()', () => {
  test('gives the start, output by stream, and the result', async () => {
    const command = 'echo out; echo err >&2; exit 3'
    const events = await collect({ command })

    expect(events[0]).toEqual({ type: 'start', command, display: command })
    expect(textOf(events, 'stdout')).toBe('out\n')
    expect(textOf(events, 'stderr')).toBe('err\n')
    expect(events.at(-1)).toEqual({
      type: 'result',
      result: { stdout: 'out\n', stderr: 'err\n', exitCode: 3 },
    })
  })

  test('gives the result alone for invalid input', async () => {
    expect(await collect({ command: '' })).toEqual([
      {
        type: 'result',
        result: expect.objectContaining({ error: expect.stringMatching(/^invalid input: /) }),
      },
    ])
  })

  test('gives the result alone for a context that cannot be used', async () => {
    expect(await collect({ command: 'true' }, { workingDir: '' })).toEqual([
      { type: 'result', result: expect.objectContaining({ error: expect.stringMatching(/workingDir/) }) },
    ])
  })

  test('kills the command when the loop is left', async () => {
    const marker = uniqueSleep()
    for await (const event of tool.stream({ command: `echo on; sleep ${marker}` })) {
      if (event.type === 'output') break
    }

    expect(processesWith(marker)).toEqual([])
  })

  test('ends with a cancelled result when the context is cancelled', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const events: ExecEvent[] = []
    for await (const event of tool.stream(
      { command: `echo on; sleep ${marker}` },
      { cancel: controller.signal },
    )) {
      events.push(event)
      if (event.type === 'output') controller.abort()
    }

    expect(events.at(-1)).toMatchObject({ result: { stdout: 'on\n', error: 'command cancelled' } })
  })

  test('tells onEvent of the context the same', async () => {
    const heard: ExecEvent[] = []
    const events = await collect({ command: 'echo hi' }, { onEvent: (event) => heard.push(event) })

    expect(heard).toEqual(events)
    expect(heard.map(({ type }) => type)).toEqual(['start', 'output', 'result'])
  })
})

describe('onEvent of execute()', () => {
  const follow = async (input: unknown, context: ExecContext = {}) => {
    const events: ExecEvent[] = []
    const result = await tool.execute(input, { ...context, onEvent: (event) => events.push(event) })
    return { result, events, types: events.map(({ type }) => type) }
  }

  test('hears the start, the output and the very result', async () => {
    const { result, events, types } = await follow({ command: 'echo hi' })

    expect(types).toEqual(['start', 'output', 'result'])
    expect(events[1]).toEqual({ type: 'output', stream: 'stdout', text: 'hi\n', dropped: 0 })
    const last = events.at(-1)
    expect(last?.type === 'result' && last.result).toBe(result)
  })

  test.each<[string, unknown, ExecContext]>([
    ['invalid input', {}, {}],
    ['a context that cannot be used', { command: 'true' }, { workingDir: '' }],
  ])('hears the result alone of %s', async (_, input, context) => {
    expect((await follow(input, context)).types).toEqual(['result'])
  })
})
