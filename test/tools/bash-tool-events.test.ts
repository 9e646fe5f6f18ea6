// Following a call of execute() with onEvent.
import { type BashEvent, type BashResult, createBashTool, type ToolContext } from '../../lib/index.js'
import { killHosts, runHost } from '../support/host.js'

afterEach(killHosts)

const tool = createBashTool()

const follow = async (input: unknown, context: Partial<ToolContext> = {}) => {
  const events: BashEvent[] = []
  const onEvent = (event: BashEvent) => events.push(event)
  const result = await tool.execute(input, { workingDir: '/', onEvent, ...context })
  return { events, types: events.map(({ type }) => type), result }
}

describe('onEvent', () => {
  test('start, pieces of output, and the result, in this order', async () => {
    const command = 'for i in 1 2 3; do echo $i; sleep 0.1; done; exit 4'
    const { events, result } = await follow({ command })
    const outputs = events.slice(1, -1)

    expect(events[0]).toEqual({ type: 'start', command, display: command })
    expect(outputs.every(({ type }) => type === 'output')).toBe(true)
    expect(outputs.map((event) => (event.type === 'output' ? event.text : '')).join('')).toBe('1\n2\n3\n')
    expect(events.at(-1)).toEqual({ type: 'result', result })
    expect(result).toMatchObject({ status: 'failed', exitCode: 4 })
  })

  test('a silent command has a start and a result', async () => {
    expect((await follow({ command: 'true' })).types).toEqual(['start', 'result'])
  })

  test('a cancel has a result', async () => {
    const { types, result } = await follow({ command: 'true' }, { cancel: AbortSignal.abort() })

    expect(types.at(-1)).toBe('result')
    expect(result.status).toBe('cancelled')
  })

  test.each<[string, unknown, Partial<ToolContext>]>([
    ['invalid input', { command: 'true', mode: 'fast' }, {}],
    ['a context that cannot be used', { command: 'true' }, { workingDir: '' }],
  ])('%s starts nothing, and has a result', async (_, input, context) => {
    expect((await follow(input, context)).types).toEqual(['result'])
  })

  test('a working directory that is missing has a result after the start', async () => {
    const { types, result } = await follow({ command: 'true' }, { workingDir: '/nonexistent' })

    expect(types).toEqual(['start', 'result'])
    expect(result.status).toBe('error')
  })

  test('the event has the same result that the call gives', async () => {
    const { events, result } = await follow({ command: 'echo hi' })
    const last = events.at(-1)

    expect(last?.type === 'result' && last.result).toBe(result)
  })
})

describe('listeners that throw', () => {
  interface Outcome {
    ran: BashResult
    executed: BashResult
    streamed: BashEvent[]
    ofRun: string[]
    ofExecute: string[]
    ofStream: string[]
  }

  test('do not break the command, and their exceptions are those of the host', async () => {
    const outcome = await runHost<Outcome>('throwing-listeners', { argument: { command: 'echo hi; exit 3' } })
    const expected = { status: 'failed', exitCode: 3, output: 'hi\n' }

    expect(outcome.ran).toMatchObject(expected)
    expect(outcome.ofRun).toEqual(['listener of output'])
    expect(outcome.executed).toMatchObject(expected)
    expect(outcome.ofExecute).toEqual(['listener of start', 'listener of output', 'listener of result'])
    expect(outcome.streamed.map(({ type }) => type)).toEqual(['start', 'output', 'result'])
    expect(outcome.streamed.at(-1)).toMatchObject({ result: expected })
    expect(outcome.ofStream).toEqual(['listener of start', 'listener of output', 'listener of result'])
  })
})
