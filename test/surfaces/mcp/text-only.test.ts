// What a client gets: many show their model the structured content alone, and so there is none unless it is asked for.
import { dirname, join } from 'node:path'
import { endJobs, storeAt } from '../../support/jobs.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { closeHttpClients, httpClients } from './http/http-clients.js'
import { startServer, stopServers } from './http/servers.js'
import { endRawServers, startRawServer } from './raw-server.js'

afterEach(async () => {
  await closeHttpClients()
  await stopServers()
  await endRawServers()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

interface Result {
  content: { text: string }[]
  structuredContent?: Record<string, unknown>
  isError: boolean
}

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

const start = (...options: string[]) => {
  const jobs = storeAt(join(tempDir(), 'bashward', 'jobs'))
  const env = { XDG_STATE_HOME: dirname(dirname(jobs.directory)), API_TOKEN: 'a secret of the client' }
  const { ask } = startRawServer(options, env)
  const call = async (name: string, args: object, capabilities: object = {}) => {
    const { _meta, ...result } =
      (await ask('tools/call', { name, arguments: args }, capabilities)).result ?? {}
    return result as unknown as Result & { taskId?: string }
  }
  const list = async () => {
    const { result } = await ask('tools/list', {}, {})
    return result?.tools as { name: string; outputSchema?: { properties: object } }[]
  }
  return { ask, call, list }
}

const textOf = ({ content }: Result) => content.map(({ text }) => text).join('\n')

describe('without --structured', () => {
  test('no tool has an output schema', async () => {
    const tools = await start('--tty').list()

    expect(tools.map(({ name }) => name)).toEqual(['bash', 'bash_output', 'kill_bash', 'bash_input'])
    for (const tool of tools) expect(tool).not.toHaveProperty('outputSchema')
  })

  test('a result is its text', async () => {
    const { call } = start()

    expect(await call('bash', { command: 'true' })).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: '[no output]' }],
      isError: false,
    })
    expect(await call('bash', { command: 'echo out; exit 3' })).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: '[command failed: exit code 3]\nout\n' }],
      isError: true,
    })
  })

  test('the text tells how to read and stop a job, and where what was cut is', async () => {
    const { call } = start()
    const started = textOf(await call('bash', { command: 'exec sleep 300', mode: 'background' }))
    const [, bash_id] = /<bash_id>(\w+)<\/bash_id>/.exec(started) ?? []
    const long = textOf(await call('bash', { command: 'seq 20000' }))

    expect(started).toContain('To read its output: bash_output. To stop: kill_bash')
    expect(textOf(await call('bash_output', { bash_id }))).toMatch(/^\[running\]/)
    expect(textOf(await call('bash_output', {}))).toContain('exec sleep 300')
    expect(long).toMatch(/\[output truncated: .*\]/)
    expect(long).toMatch(/\[whole output saved: \/\S+\]/)
    expect(textOf(await call('kill_bash', { bash_id }))).toBe('[killed]')
  })

  test('the text tells of jobs that have ended', async () => {
    const { call } = start()
    const started = textOf(await call('bash', { command: 'echo last; exit 3', mode: 'background' }))
    const [, id = ''] = /<bash_id>(\w+)<\/bash_id>/.exec(started) ?? []
    const told = async () => {
      const { content } = await call('bash', { command: 'true' })
      return content[1]?.text
    }

    expect(await waitFor(told, { what: 'the news' })).toContain(`[job ${id} ended: exit code 3`)
  })

  test('a command that leaves a process names the job, and how to stop it', async () => {
    const { call } = start()

    expect(textOf(await call('bash', { command: 'sleep 300 & echo a' }))).toMatch(
      /^a\n\[still running as job (\w+): .*; output goes on in \S+; to stop: kill_bash \1\]$/,
    )
  })

  test('of what a terminal has shown and was cut it tells how to read the rest', async () => {
    const { call } = start('--tty')
    const text = textOf(await call('bash', { command: 'seq 20000', tty: true }))
    const [, bash_id] = /\[to read what was left out: bash_output of (\w+) with a filter, /.exec(text) ?? []

    expect(textOf(await call('bash_output', { bash_id, filter: '^10000$' }))).toContain('10000')
  })

  test('the result of a task is its text', async () => {
    const { ask, call } = start('--background-after', '0.1')
    const { taskId } = await call('bash', { command: 'sleep 0.5; echo done' }, tasks)
    const task = await waitFor(
      async () => {
        const { result } = await ask('tasks/get', { taskId }, tasks)
        return result?.status === 'working' ? undefined : result
      },
      { what: 'the end of the task' },
    )

    expect(task?.result).toEqual({ content: [{ type: 'text', text: 'done\n' }], isError: false })
  })
})

describe.each(httpClients)('over HTTP, %s, protocol of %s', (_, __, connect) => {
  test('it is the same, and the text tells of a call that was made before', async () => {
    const server = await startServer({ structured: false })
    const client = await connect(server.url, server.tokens[0] ?? '')
    const { tools, _meta } = await client.listTools()
    const meta = {
      'bashward/callId': 'once',
      'bashward/conversation': String(_meta?.['bashward/conversation']),
    }
    const command = `echo >> ${join(tempDir(), 'runs')}; echo ran; exit 3`
    const first = await client.call('bash', { command }, { meta })
    const again = await client.call('bash', { command }, { meta })

    for (const tool of tools) expect(tool.outputSchema).toBeUndefined()
    expect([first.structured, again.structured]).toEqual([undefined, undefined])
    expect(first.text).toBe('[command failed: exit code 3]\nran\n')
    expect(again.text).toBe(`${first.text}[the call was made before: nothing has run again]`)
  })
})

test('--structured brings both, without what was enforced and withheld', async () => {
  const { call, list } = start('--structured', '--restricted')
  const [bash] = await list()
  const { structuredContent } = await call('bash', { command: 'echo out' })

  expect(bash?.outputSchema?.properties).toMatchObject({ status: {}, output: {}, news: {} })
  expect(structuredContent).toMatchObject({ output: expect.any(String) })
  for (const name of ['enforced', 'removedEnv']) {
    expect(bash?.outputSchema?.properties).not.toHaveProperty(name)
    expect(structuredContent).not.toHaveProperty(name)
  }
})
