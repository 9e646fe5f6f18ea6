// The log record of each command of the exec tool: REQ-EXEC-007.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { CommandLogEvent } from '../../lib/tools/call/command-log.js'
import { createExecTool, type ExecContext } from '../../lib/tools/exec-tool.js'
import { killHosts, runHost } from '../support/host.js'

let events: CommandLogEvent[] = []
const listen = (event: unknown) => events.push(event as CommandLogEvent)

beforeEach(() => {
  events = []
  subscribe('bashward:command', listen)
})
afterEach(() => {
  unsubscribe('bashward:command', listen)
})
afterEach(killHosts)

const tool = createExecTool({ timeout: 500 })

const log = async (input: unknown, context?: ExecContext): Promise<CommandLogEvent[]> => {
  await tool.execute(input, context)
  return events
}

test('has the command, its exit code and the size of its output by stream', async () => {
  const command = 'printf 12345; printf é >&2; exit 3'

  expect(await log({ command })).toEqual([
    {
      type: 'start',
      tool: 'bash',
      id: expect.any(String),
      command,
      display: command,
      sandbox: 'unrestricted',
    },
    {
      type: 'end',
      tool: 'bash',
      id: events[0]?.id,
      command,
      display: command,
      sandbox: 'unrestricted',
      status: 'failed',
      exitCode: 3,
      signal: null,
      durationMs: expect.any(Number),
      outputBytes: 7,
      stdoutBytes: 5,
      stderrBytes: 2,
      truncated: false,
    },
  ])
})

test('has the conversation and the directory of the context', async () => {
  const context = { workingDir: '/usr', conversationId: 'c1', toolCallId: 't1' }

  expect(await log({ command: 'true' }, context)).toEqual([
    expect.objectContaining({ type: 'start', ...context }),
    expect.objectContaining({ type: 'end', ...context }),
  ])
})

test('never has output or environment', async () => {
  process.env.BASHWARD_TEST_VARIABLE = 'environment-content'
  await log({ command: 'printf "%s-%s" output content; env >&2' })
  delete process.env.BASHWARD_TEST_VARIABLE

  expect(events.map(({ type }) => type)).toEqual(['start', 'end'])
  expect(JSON.stringify(events)).not.toMatch(/output-content|environment-content/)
})

test('counts output that the result does not hold', async () => {
  expect((await log({ command: 'head -c 3000000 /dev/zero' })).at(-1)).toMatchObject({
    type: 'end',
    stdoutBytes: 3_000_000,
    truncated: true,
  })
})

test.each<[string, object]>([
  ['kill -SEGV $$', { status: 'failed', exitCode: null, signal: 'SIGSEGV' }],
  ['sleep 30', { status: 'timed_out' }],
  ['no-such-command-here', { status: 'failed', exitCode: 127 }],
])('%s ends as the engine saw it', async (command, outcome) => {
  expect((await log({ command })).at(-1)).toMatchObject({ type: 'end', ...outcome })
})

test('has an error for input that cannot be run', async () => {
  expect(await log({ command: '' })).toEqual([
    expect.objectContaining({ type: 'start', command: '' }),
    expect.objectContaining({
      type: 'error',
      status: 'invalid',
      exitCode: null,
      error: { code: 'ERR_INVALID_INPUT', message: expect.stringContaining('must not be empty') },
    }),
  ])
})

test('has an error for a command that cannot be started', async () => {
  expect((await log({ command: 'true' }, { workingDir: '/nonexistent' })).at(-1)).toMatchObject({
    type: 'error',
    status: 'error',
    command: 'true',
    error: { code: 'ERR_WORKING_DIR', message: expect.stringContaining('chdir /nonexistent') },
  })
})

test('tells commands that run side by side apart', async () => {
  await Promise.all([1, 2, 3].map((n) => tool.execute({ command: `exit ${n}` })))
  const ends = events.filter(({ type }) => type === 'end')
  const starts = events.filter(({ type }) => type === 'start')

  expect(new Set(starts.map(({ id }) => id)).size).toBe(3)
  for (const end of ends) expect(starts.find(({ id }) => id === end.id)?.command).toBe(end.command)
})

test('a subscriber that throws breaks no command: its exceptions are those of the host', async () => {
  expect(await runHost('exec-throwing-subscriber', { argument: { command: 'echo hi; exit 3' } })).toEqual({
    result: { stdout: 'hi\n', stderr: '', exitCode: 3 },
    uncaught: ['subscriber of start', 'subscriber of end'],
  })
})
