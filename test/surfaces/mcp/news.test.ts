// What a connection is told of the ends of its background commands, and what the model reads of them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020'
import { createBashServer } from '../../../lib/surfaces/mcp/server.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

const clients: Client[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const connect = async () => {
  const jobs = tempStore()
  const options = { workingDir: '/', sandbox: 'unrestricted', scratch: false, safety: true } as const
  const server = createBashServer({
    ...options,
    backgroundAfterMs: 20_000,
    jobs,
    version: '1.2.3',
    structured: true,
  })
  /** Another connection of the same server. */
  const open = async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    await server.connect().connect(serverSide)
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    const messages: { level: string; data: unknown }[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params))
    await client.connect(clientSide)
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: args })
      const { news, ...structured } = structuredContent as { news?: string[]; jobId?: string; status: string }
      return { texts: (content as { text: string }[]).map(({ text }) => text), news, structured }
    }
    const start = async (command: string) =>
      String((await call('bash', { command, mode: 'background' })).structured.jobId)
    return { client, call, start, messages }
  }
  return { jobs, open, ...(await open()) }
}

type Connection = Awaited<ReturnType<typeof connect>>

/** A job that waits for the test. */
const startHeld = async ({ start }: Pick<Connection, 'start'>, rest: string) => {
  const end = join(tempDir(), 'end')
  const id = await start(`until [ -e '${end}' ]; do sleep 0.02; done; ${rest}`)
  return { id, end: () => writeFileSync(end, '') }
}

/** Asks for messages, so that the test knows when the server knows of an end. */
const listen = ({ client }: Pick<Connection, 'client'>) => client.setLoggingLevel('info')

const heard = ({ messages }: Pick<Connection, 'messages'>, count = 1) =>
  waitFor(() => messages.length >= count, { what: `${count} messages` })

test('the next result tells of an end, and no later one', async () => {
  const connection = await connect()
  await listen(connection)
  const { id, end } = await startHeld(connection, 'echo 1 test failed; exit 3')
  const before = await connection.call('bash', { command: 'echo before' })
  end()
  await heard(connection)
  const next = await connection.call('bash', { command: 'echo next' })
  const later = await connection.call('bash', { command: 'echo later' })

  const sentence = new RegExp(`^\\[job ${id} ended: exit code 3 after \\d.*s; last lines: 1 test failed\\]$`)
  expect(before).toMatchObject({ texts: ['before\n'], news: undefined })
  expect(next.texts).toEqual(['next\n', expect.stringMatching(sentence)])
  expect(next.news).toEqual([next.texts[1]])
  expect(later).toMatchObject({ texts: ['later\n'], news: undefined })
})

test('a job that has ended before its call was answered is told as well', async () => {
  const connection = await connect()
  await listen(connection)
  const id = await connection.start('exit 4')
  await heard(connection)

  const { news } = await connection.call('bash', { command: 'true' })
  expect(news).toEqual([expect.stringContaining(`[job ${id} ended: exit code 4 `)])
})

test.each(['bash_output', 'kill_bash'])('what %s has told is no news', async (tool) => {
  const connection = await connect()
  await listen(connection)
  const { id, end } = await startHeld(connection, 'exit 5')
  if (tool === 'bash_output') end()
  const wait = tool === 'bash_output' ? { wait_ms: 20_000 } : {}
  const told = await connection.call(tool, { bash_id: id, ...wait })
  await heard(connection)
  const next = await connection.call('bash', { command: 'true' })

  expect(told.structured.status).toMatch(/^(failed|killed)$/)
  expect([told.news, next.news]).toEqual([undefined, undefined])
})

test('reading a job that runs takes no news away', async () => {
  const connection = await connect()
  await listen(connection)
  const { id, end } = await startHeld(connection, 'exit 6')
  const { structured } = await connection.call('bash_output', { bash_id: id })
  end()
  await heard(connection)

  expect(structured.status).toBe('running')
  const { news } = await connection.call('bash_output', {})
  expect(news).toEqual([expect.stringContaining(`[job ${id} ended: exit code 6 `)])
})

test('the ends of another connection are not told', async () => {
  const first = await connect()
  const second = await first.open()
  await listen(first)
  await listen(second)
  await first.start('exit 7')
  await heard(first)

  expect((await second.call('bash', { command: 'true' })).news).toBeUndefined()
  expect(second.messages).toEqual([])
})

describe('a message tells of an end', () => {
  test('at once, to a client that asks for its level', async () => {
    const connection = await connect()
    await listen(connection)
    const id = await connection.start('echo out')
    await heard(connection)

    expect(connection.messages).toEqual([
      { level: 'info', logger: 'bashward', data: expect.stringContaining(`[job ${id} ended: exit code 0 `) },
    ])
  })

  test.each([undefined, 'warning'] as const)('but not at the level %s', async (level) => {
    const connection = await connect()
    if (level !== undefined) await connection.client.setLoggingLevel(level)
    await connection.start('exit 8')
    // The message would have come before the result that tells of the end.
    let news: string[] | undefined
    await waitFor(
      async () => {
        news ??= (await connection.call('bash', { command: 'true' })).news
        return news !== undefined
      },
      { what: 'the news' },
    )

    expect(connection.messages).toEqual([])
  })
})

test('news is within the schema of every tool', async () => {
  const { client } = await connect()
  for (const { name, outputSchema } of (await client.listTools()).tools) {
    const { properties } = outputSchema as { properties: { news?: object } }
    expect([name, properties.news]).toEqual([name, expect.objectContaining({ type: 'array' })])
    new Ajv2020({ allowUnionTypes: true }).compile(outputSchema as object)
  }
})

test('many ends are told over several results', async () => {
  const connection = await connect()
  await listen(connection)
  const end = join(tempDir(), 'end')
  const jobs = Array.from({ length: 23 }, () => `until [ -e '${end}' ]; do sleep 0.2; done`)
  await Promise.all(jobs.map(connection.start))
  writeFileSync(end, '')
  await heard(connection, 23)
  const told: (number | undefined)[] = []
  for (const command of ['echo 1', 'echo 2', 'echo 3']) {
    told.push((await connection.call('bash', { command })).news?.length)
  }

  expect(told).toEqual([20, 3, undefined])
})

test('nothing watches before the first job, or after the end of the connection', async () => {
  const connection = await connect()
  const watch = jest.spyOn(connection.jobs, 'watch')
  await connection.call('bash', { command: 'true' })
  expect(watch).not.toHaveBeenCalled()

  await connection.start(`exec sleep ${uniqueSleep()}`)
  expect(watch).toHaveBeenCalledTimes(1)
  await connection.client.close()
  await waitFor(() => watch.mock.calls[0]?.[0]?.signal?.aborted === true, { what: 'the watch to end' })
})
