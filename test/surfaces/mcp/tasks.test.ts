// The Tasks extension, for clients that declare it: spoken by hand over real pipes, as the library's client knows no tasks.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020'
import { createBashTool } from '../../../lib/index.js'
import { bashResultSchema } from '../../../lib/surfaces/mcp/schemas.js'
import { endJobs, storeAt } from '../../support/jobs.js'
import { killLeftovers } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { endRawServers, type RawAnswer, startRawServer } from './raw-server.js'

afterEach(async () => {
  await endRawServers()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

interface Task {
  status: string
  statusMessage: string
  result?: { content: { text: string }[]; structuredContent: Record<string, unknown>; isError: boolean }
}

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const answerWithinS = '1'

const start = (
  jobs = storeAt(join(tempDir(), 'bashward', 'jobs')),
  env: Record<string, string> = {},
  options: string[] = [],
) => {
  const server = startRawServer(['--structured', '--background-after', answerWithinS, ...options], {
    ...env,
    XDG_STATE_HOME: dirname(dirname(jobs.directory)),
  })
  const ask = (method: string, params: object, capabilities: object = tasks): Promise<RawAnswer> =>
    server.ask(method, params, capabilities)
  const bash = (args: object, capabilities?: object) =>
    ask('tools/call', { name: 'bash', arguments: args }, capabilities)
  const get = async (taskId: unknown) => (await ask('tasks/get', { taskId })).result as unknown as Task
  /** Looks until the task has come to an end. */
  const ended = (taskId: unknown) =>
    waitFor(
      async () => {
        const task = await get(taskId)
        return task.status === 'working' ? undefined : task
      },
      { what: 'the end of the task' },
    )
  return { jobs, ask, bash, get, ended }
}

/** A command that takes longer than an answer, and waits for the test. */
const held = (rest: string) => {
  const end = join(tempDir(), 'end')
  const command = `echo begun; until [ -e '${end}' ]; do sleep 0.02; done; ${rest}`
  return { command, end: () => writeFileSync(end, '') }
}

const isValidResult = new Ajv2020({ strict: false }).compile(bashResultSchema)

test('the server says that it has tasks', async () => {
  const { ask } = start()
  const { result } = await ask('server/discover', {})

  expect(result).toMatchObject({ capabilities: tasks })
})

test('a command that takes longer is a task, and its result that of a command that was waited for', async () => {
  const { bash, get, ended } = start()
  const { command, end } = held('echo done')
  const { result: created } = await bash({ command })
  const working = await get(created?.taskId)
  end()
  const task = await ended(created?.taskId)

  expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 2000 })
  expect(working).toMatchObject({ resultType: 'complete', taskId: created?.taskId, status: 'working' })
  expect(working.statusMessage).toMatch(/^still running as background job bash_\w+, 6B printed so far; /)
  expect(task).toMatchObject({
    status: 'completed',
    statusMessage: 'exit code 0, 11B printed',
    result: {
      content: [{ type: 'text', text: 'begun\ndone\n' }],
      structuredContent: { status: 'completed', output: 'begun\ndone\n', exitCode: 0 },
      isError: false,
    },
  })
  expect(isValidResult(task.result?.structuredContent)).toBe(true)
})

test('one that fails is completed, with a result that is an error', async () => {
  const { bash, ended } = start()
  const { command, end } = held('exit 7')
  const { result: created } = await bash({ command })
  end()

  expect(await ended(created?.taskId)).toMatchObject({
    status: 'completed',
    result: { content: [{ text: '[command failed: exit code 7]\nbegun\n' }], isError: true },
  })
})

test('one that times out as well', async () => {
  const { bash, ended } = start()
  const { result: created } = await bash({ command: 'echo begun; exec sleep 300', timeout: 2000 })

  expect(await ended(created?.taskId)).toMatchObject({
    status: 'completed',
    result: { structuredContent: { status: 'timed_out', timeoutMs: 2000, output: 'begun\n' }, isError: true },
  })
})

test('one that is cancelled is killed', async () => {
  const { jobs, bash, ask, get } = start()
  const { result: created } = await bash({ command: 'exec sleep 300' })
  const { taskId } = created ?? {}
  const first = await ask('tasks/cancel', { taskId })
  const second = await ask('tasks/cancel', { taskId })
  const task = await get(taskId)

  expect(first.result).toMatchObject({ resultType: 'complete' })
  expect(second.result).toMatchObject({ resultType: 'complete' })
  expect(task).toMatchObject({ status: 'cancelled' })
  expect(task).not.toHaveProperty('result')
  expect(await jobs.get(String(taskId))).toMatchObject({ status: 'killed' })
})

testRestricted('in Restricted mode, that of another conversation is not cancelled', async () => {
  const { jobs, ask } = start(undefined, {}, ['--restricted'])
  const result = await createBashTool({ jobs }).execute(
    { command: 'exec sleep 300', mode: 'background' },
    { workingDir: '/' },
  )
  const taskId = String(result.jobId)
  const { error } = await ask('tasks/cancel', { taskId })

  expect(error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('is not of this conversation'),
  })
  expect(await jobs.get(taskId)).toMatchObject({ status: 'running' })
})

testRestricted('in Restricted mode, its own is', async () => {
  const { bash, ask, get } = start(undefined, {}, ['--restricted'])
  const { result: created } = await bash({ command: 'exec sleep 300' })
  const { taskId } = created ?? {}

  expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' })
  expect(await get(taskId)).toMatchObject({ status: 'cancelled' })
})

test('one whose supervisor was killed has failed', async () => {
  const { jobs, bash, ended } = start()
  const { result: created } = await bash({ command: 'exec sleep 300' })
  const { record } = await jobs.get(String(created?.taskId))
  process.kill(record?.supervisor.pid ?? 0, 'SIGKILL')

  expect(await ended(created?.taskId)).toMatchObject({
    status: 'failed',
    error: { code: -32603, message: expect.stringContaining('supervisor') },
  })
})

test('another server of the same user knows it', async () => {
  const first = start()
  const { command, end } = held('seq 3; exit 2')
  const { result: created } = await first.bash({ command })
  const second = start(first.jobs)
  end()
  const task = await second.ended(created?.taskId)

  expect(task).toMatchObject({
    status: 'completed',
    result: { structuredContent: { status: 'failed', exitCode: 2, output: 'begun\n1\n2\n3\n' } },
  })
  expect(isValidResult(task.result?.structuredContent)).toBe(true)
})

test('what its client asks for is no news', async () => {
  const { bash, ended } = start()
  const { command, end } = held('true')
  const { result: created } = await bash({ command })
  end()
  await ended(created?.taskId)
  const { result } = await bash({ command: 'echo next' })

  expect(result).toMatchObject({ content: [{ text: 'next\n' }] })
  expect(result?.structuredContent).not.toHaveProperty('news')
})

test('nothing is asked for in an update', async () => {
  const { bash, ask } = start()
  const { result: created } = await bash({ command: 'exec sleep 300' })
  const { result } = await ask('tasks/update', { taskId: created?.taskId, inputResponses: { name: {} } })

  expect(result).toMatchObject({ resultType: 'complete' })
})

test.each([
  ['a quick command', { command: 'echo quick' }, 'completed'],
  ['what is started in the background', { command: 'exec sleep 300', mode: 'background' }, 'background'],
])('%s is answered as ever', async (_, args, status) => {
  const { bash } = start()
  const { result } = await bash(args)

  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status } })
})

test('a client without the extension is told of a background job, and has no tasks', async () => {
  const { bash, ask } = start()
  const { result } = await bash({ command: 'exec sleep 300' }, {})
  const { jobId: taskId } = (result?.structuredContent ?? {}) as { jobId?: string }
  const { error } = await ask('tasks/get', { taskId }, {})

  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'background' } })
  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: tasks } })
})

test.each([
  ['get', 'bash_000000', /^taskId: there is no such task: .*bash_000000/],
  ['update', 'bash_000000', /^taskId: there is no such task/],
  ['cancel', '../x', /^taskId: there is no such task/],
  ['get', 7, /taskId: must be a string, got 7/],
  ['cancel', undefined, /taskId: must be a string, got undefined/],
])('tasks/%s of %s is refused by name', async (method, taskId, message) => {
  const { ask } = start()
  const { error } = await ask(`tasks/${method}`, { taskId })

  expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) })
})

test('on the portable engine a command that takes longer is a task too', async () => {
  const { bash, ended } = start(undefined, { BASHWARD_ENGINE: 'portable' })
  const { command, end } = held('exit 3')
  const { result: created } = await bash({ command })
  end()

  expect(created).toMatchObject({ resultType: 'task', status: 'working' })
  expect(await ended(created?.taskId)).toMatchObject({
    status: 'completed',
    result: { structuredContent: { status: 'failed', exitCode: 3, output: 'begun\n' } },
  })
})
