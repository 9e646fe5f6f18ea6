// What is published about a call, and what is not.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type BashResult, type BashStatus, blankResult } from '../../../lib/commands/run/result.js'
import { type CommandLogEvent, commandLog, commandLogChannel } from '../../../lib/tools/call/command-log.js'

let events: CommandLogEvent[] = []
const listen = (event: unknown) => events.push(event as CommandLogEvent)
const hear = () => subscribe(commandLogChannel, listen)

afterEach(() => {
  unsubscribe(commandLogChannel, listen)
  events = []
})

const resultOf = (status: BashStatus, fields: Partial<BashResult> = {}): BashResult => ({
  ...blankResult('ls', status),
  ...fields,
})

const logged = (context: unknown, result: BashResult): CommandLogEvent[] => {
  hear()
  commandLog('bash', 'ls', context).end(result)
  return events
}

test('the channel is named bashward:command', () => {
  expect(commandLogChannel).toBe('bashward:command')
})

test('a call has a start and an end with the same id', () => {
  const [start, end] = logged({}, resultOf('completed'))

  expect([start?.type, end?.type]).toEqual(['start', 'end'])
  expect(start?.id).toBe(end?.id)
})

test('each call has an id of its own', () => {
  hear()
  commandLog('bash', 'ls', {})
  commandLog('bash', 'ls', {})

  expect(events[0]?.id).not.toBe(events[1]?.id)
})

test.each<BashStatus>(['completed', 'failed', 'timed_out', 'cancelled', 'background'])(
  '%s is an end',
  (status) => {
    expect(logged({}, resultOf(status))[1]).toMatchObject({ type: 'end', status })
  },
)

test.each<BashStatus>(['invalid', 'rejected', 'error'])('%s is an error', (status) => {
  expect(logged({}, resultOf(status))[1]).toMatchObject({ type: 'error', status })
})

test('an error has its code and message', () => {
  const error = { code: 'ERR_SPAWN', message: 'clone: EAGAIN' }

  expect(logged({}, resultOf('error', { error }))[1]).toMatchObject({ type: 'error', error })
})

test('an end says how the command ended, and which job is left', () => {
  const outcome = {
    exitCode: null,
    signal: 'SIGKILL',
    durationMs: 12.5,
    outputBytes: 3,
    truncated: true,
    jobId: 'job-1',
    display: 'list',
  }

  expect(logged({}, resultOf('failed', outcome))[1]).toEqual({
    type: 'end',
    tool: 'bash',
    id: expect.any(String),
    command: 'ls',
    sandbox: 'unrestricted',
    status: 'failed',
    ...outcome,
  })
})

test('no output, no environment and no file of the result is published', () => {
  const result = resultOf('failed', {
    output: 'CONTENT',
    savedOutput: 'CONTENT',
    outputFile: 'CONTENT',
    removedEnv: ['CONTENT'],
    survivors: [{ pid: 7, command: 'CONTENT', daemon: false }],
  })
  Object.assign(result, { stdout: 'CONTENT', stderr: 'CONTENT' })

  expect(JSON.stringify(logged({}, result))).not.toContain('CONTENT')
})

test('the context gives conversation, call, directory and sandbox', () => {
  const context = {
    conversationId: 'c',
    toolCallId: 't',
    workingDir: '/usr',
    sandbox: 'restricted',
    messages: ['CONTENT'],
  }
  const { messages: _, ...published } = context

  expect(logged(context, resultOf('completed'))).toEqual([
    expect.objectContaining(published),
    expect.objectContaining(published),
  ])
  expect(JSON.stringify(events)).not.toContain('CONTENT')
})

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a text', 'text'],
  ['fields of other types', { conversationId: 7, workingDir: null, sandbox: 'open' }],
])('a context that cannot be used gives nothing: %s', (_, context) => {
  expect(Object.keys(logged(context, resultOf('completed'))[0] ?? {}).sort()).toEqual([
    'command',
    'display',
    'id',
    'sandbox',
    'tool',
    'type',
  ])
})

test('a context that throws when it is read gives nothing', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()

  expect(logged(proxy, resultOf('completed'))[0]).toMatchObject({ type: 'start', sandbox: 'unrestricted' })
})

test('without a subscriber the context is not even looked at', () => {
  const context = new Proxy(
    {},
    {
      get() {
        throw new Error('looked at')
      },
    },
  )
  const log = commandLog('bash', 'ls', context)
  log.end(resultOf('completed'))

  expect(commandLog('bash', 'ls', context)).toBe(log)
})

test('who subscribes during a call hears of the next one', () => {
  const log = commandLog('bash', 'ls', {})
  hear()
  log.end(resultOf('completed'))

  expect(events).toEqual([])
})

test.each([
  ['workspace', 'workspace'],
  [{ writable: ['.'] }, 'custom'],
  [null, 'unrestricted'],
])('a context with sandbox: %j is logged as %s', (sandbox, name) => {
  expect(logged({ sandbox }, resultOf('completed'))[0]).toMatchObject({ sandbox: name })
})

test('an end names what the sandbox refused, and what other programs may run', () => {
  const sandboxed = {
    denials: [{ operation: 'write' as const, target: '/etc/x', grant: { writable: ['/etc'] } }],
    denialsDropped: 2,
    protectedChanged: ['/ws/.envrc'],
    protectedDropped: 3,
  }

  expect(logged({}, resultOf('failed', { ...sandboxed, denied: 'a sentence' }))[1]).toMatchObject(sandboxed)
})
