// The recipes of docs/observability.md, executed.
import { runModule, snippetWith } from './snippets.js'

test('a logger hears of a command', () => {
  expect(runModule(snippetWith('observability', 'js', 'attachLogger'))).toBe(
    'command failed echo hi; exit 3 failed 3\n',
  )
})

/** A tracer and a context manager as an SDK has them, that print each span at its end. */
const recorder = `
  import { AsyncLocalStorage } from 'node:async_hooks'
  import { context, ROOT_CONTEXT, trace as traceApi } from '@opentelemetry/api'
  import { createBashTool } from 'bashward'

  const storage = new AsyncLocalStorage()
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, fn, self, ...args) => storage.run(active, () => fn.apply(self, args)),
    bind: (_, target) => target,
    enable() { return this },
    disable() { return this },
  })
  let serial = 0
  const startSpan = (name, { attributes = {} } = {}, parent = context.active()) => {
    const spanId = String(++serial)
    const span = { name, spanId, parentId: traceApi.getSpan(parent)?.spanContext().spanId, attributes, status: undefined }
    return {
      spanContext: () => ({ traceId: '1', spanId, traceFlags: 1 }),
      setAttribute(key, value) { attributes[key] = value; return this },
      setStatus(status) { span.status = status; return this },
      end() { console.log(JSON.stringify(span)) },
    }
  }
  traceApi.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) })`

const commands = `
  const tool = createBashTool()
  const run = (command) =>
    tool.execute({ command }, { workingDir: '/', conversationId: 'talk', toolCallId: 'call_1' })
  const agent = startSpan('agent')
  await context.with(traceApi.setSpan(context.active(), agent), () => run('echo hi'))
  await run('exit 3')`

interface Span {
  name: string
  spanId: string
  parentId?: string
  attributes: Record<string, unknown>
  status?: object
}

test('OpenTelemetry has a span for each command, in that of its caller', () => {
  const recipe = snippetWith('observability', 'js', 'startSpan')
  const output = runModule([recorder, recipe, commands].join('\n'))
  const [inAgent, alone] = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Span)

  expect(inAgent).toMatchObject({
    name: 'execute_tool bash',
    parentId: '1',
    attributes: {
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.conversation.id': 'talk',
      'bashward.command': 'echo hi',
      'bashward.status': 'completed',
      'bashward.output_bytes': 3,
      'process.exit.code': 0,
    },
  })
  expect(inAgent).not.toHaveProperty('status')
  expect(alone).toMatchObject({
    attributes: { 'process.exit.code': 3 },
    status: { code: 2, message: 'failed' },
  })
  expect(alone).not.toHaveProperty('parentId')
})
