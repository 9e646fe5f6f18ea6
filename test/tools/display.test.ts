// How calls are shown: in their start, their result and the log (REQ-BASH-011).
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type BashEvent,
  BashSession,
  type CommandLogEvent,
  commandLogChannel,
  createBashSuite,
  createBashTool,
  createExecTool,
  type ExecResult,
  run,
} from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

const logged: CommandLogEvent[] = []
const listen = (event: unknown) => logged.push(event as CommandLogEvent)

beforeEach(() => subscribe(commandLogChannel, listen))
afterEach(() => {
  unsubscribe(commandLogChannel, listen)
  logged.length = 0
})
afterEach(endJobs)
afterAll(removeTempDirs)

const displaysOf = (events: readonly object[]) =>
  events.flatMap((event) => {
    if ('result' in event) return [(event.result as { display?: string }).display]
    return 'display' in event ? [event.display] : []
  })

describe('a cd to the working directory is not shown', () => {
  const command = 'cd /usr && pwd || exit'

  test.each(['default', 'slow', 'background'])('by the bash tool in mode %s', async (mode) => {
    const events: BashEvent[] = []
    const context = { workingDir: '/usr', onEvent: (event: BashEvent) => events.push(event) }
    await createBashTool({ jobs: tempStore() }).execute({ command, mode }, context)

    expect(displaysOf(events)).toEqual(['pwd || exit', 'pwd || exit'])
    expect(displaysOf(logged)).toEqual(['pwd || exit', 'pwd || exit'])
    expect(events.at(-1)).toMatchObject({ result: { command } })
  })

  test('by the suite, which knows its directory when the turn of a call has come', async () => {
    const events: BashEvent[] = []
    const context = { workingDir: '/', onEvent: (event: BashEvent) => events.push(event) }
    const { bash } = createBashSuite()
    await Promise.all([
      bash.execute({ command: 'cd /usr' }, context),
      bash.execute({ command }, context),
      bash.execute({ command: 'cd / && pwd' }, context),
    ])

    const ofType = (all: readonly { type: string }[], wanted: string) =>
      displaysOf(all.filter(({ type }) => type === wanted))
    const shown = ['cd /usr', 'pwd || exit', 'cd / && pwd']

    expect([ofType(events, 'start'), ofType(events, 'result')]).toEqual([shown, shown])
    expect(ofType(logged, 'start')).toEqual(['cd /usr', command, 'cd / && pwd'])
    expect(ofType(logged, 'end')).toEqual(shown)
  })

  test('with a session, by any tool', async () => {
    const session = new BashSession({ workingDir: '/usr' })

    expect(await createBashTool().execute({ command }, { workingDir: '/', session })).toMatchObject({
      display: 'pwd || exit',
    })
  })

  test('by the exec tool, whose result has no such field', async () => {
    const events: BashEvent<ExecResult>[] = []
    const context = { workingDir: '/usr', onEvent: (event: BashEvent<ExecResult>) => events.push(event) }
    const result = await createExecTool().execute({ command }, context)

    expect(events[0]).toEqual({ type: 'start', command, display: 'pwd || exit' })
    expect(displaysOf(logged)).toEqual(['pwd || exit', 'pwd || exit'])
    expect(Object.keys(result)).toEqual(['stdout', 'stderr', 'exitCode'])
  })

  test('by run()', async () => {
    expect(await run(command, { cwd: '/usr' })).toMatchObject({ command, display: 'pwd || exit' })
  })

  test('also not of a command that fails, is cancelled, rejected or invalid', async () => {
    const tool = createBashTool()
    const displayOf = async (input: unknown, context = {}) =>
      (await tool.execute(input, { workingDir: '/usr', ...context })).display

    expect(await displayOf({ command: 'cd /usr && false' })).toBe('false')
    expect(await displayOf({ command: 'cd /usr && ls' }, { cancel: AbortSignal.abort() })).toBe('ls')
    expect(await displayOf({ command: 'cd /usr && GIT_DIR=/none git add .' }, { workingDir: '/usr/' })).toBe(
      'GIT_DIR=/none git add .',
    )
    expect(await displayOf({ command: 'cd /usr && ls', mode: 'fast' })).toBe('ls')
    expect(await displayOf({ command: 'cd /usr && ls \0' })).toBe('ls \0')
    expect(await displayOf({ command: 'cd /nonexistent && ls' }, { workingDir: '/nonexistent' })).toBe('ls')
  })
})

describe('a command is shown as it is', () => {
  test('when its cd leads elsewhere', async () => {
    const command = 'cd /usr && pwd'

    expect(await createBashTool().execute({ command }, { workingDir: '/' })).toMatchObject({
      display: command,
    })
    expect(await run(command, { cwd: '/' })).toMatchObject({ display: command })
  })

  test('when nobody knows where it was to run', async () => {
    const command = 'cd / && pwd'
    const context = { workingDir: '' }

    expect(await createBashTool().execute({ command }, context)).toMatchObject({ display: command })
    expect(displaysOf(logged)).toEqual([command, command])
  })

  test('of a session that has lost its directory', async () => {
    const gone = `${tempDir()}/gone`
    const session = new BashSession({ workingDir: gone })
    const command = `cd ${gone} && pwd`

    expect(await createBashTool().execute({ command }, { workingDir: '/', session })).toMatchObject({
      status: 'error',
      display: command,
    })
  })
})

test('the home is that of the command', async () => {
  const tool = createBashTool({ env: { set: { HOME: '/usr' } } })
  const options = { cwd: '/usr', env: { set: { HOME: '/' } } }

  expect(await tool.execute({ command: 'cd ~ && pwd' }, { workingDir: '/usr' })).toMatchObject({
    display: 'pwd',
  })
  expect(await run('cd ~ && pwd', options)).toMatchObject({ display: 'cd ~ && pwd', output: '/\n' })
})
