// bash_output over MCP: waiting within the limit of an answer, and the list. The client checks each result by its schema.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createBashServer } from '../../../lib/surfaces/mcp/server.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

const clients: Client[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const connect = async (backgroundAfterMs = 20_000) => {
  const options = { workingDir: '/', sandbox: 'unrestricted', scratch: false, safety: true } as const
  const server = createBashServer({
    ...options,
    backgroundAfterMs,
    jobs: tempStore(),
    version: '1.2.3',
    structured: true,
  })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await server.connect().connect(serverSide)
  const client = new Client({ name: 'test', version: '1' })
  clients.push(client)
  await client.connect(clientSide)
  // From here on the client knows the schemas of the results.
  await client.listTools()
  const call = async (name: string, args: Record<string, unknown>, signal?: AbortSignal) => {
    const result = await client.callTool({ name, arguments: args }, signal && { signal })
    const [content] = result.content as { text: string }[]
    return {
      text: content?.text ?? '',
      structured: (result.structuredContent ?? {}) as { jobId?: string; status?: string; waitedMs?: number },
      isError: result.isError,
    }
  }
  const start = async (command: string) =>
    String((await call('bash', { command, mode: 'background' })).structured.jobId)
  return { call, start }
}

test('waits for a line, and tells the port', async () => {
  const { call, start } = await connect()
  const program = 'require("net").createServer().listen(0, "127.0.0.1", () => console.log("ready"))'
  const id = await start(`exec ${process.execPath} -e '${program}'`)
  const { text, structured, isError } = await call('bash_output', { bash_id: id, until: 'ready' })

  expect(isError).toBe(false)
  expect(structured).toMatchObject({
    status: 'running',
    matched: 'ready',
    listening: [{ address: '127.0.0.1' }],
  })
  expect(text).toMatch(/^\[running\]\nready\n\[until has matched: ready\]\n\[listening: 127\.0\.0\.1:\d+\]\n/)
})

test('answers within its limit, whatever it is asked to wait', async () => {
  const { call, start } = await connect(100)
  const id = await start(`exec sleep ${uniqueSleep()}`)
  const { structured } = await call('bash_output', { bash_id: id, wait_ms: 60_000 })

  expect(structured.status).toBe('running')
  expect(structured.waitedMs).toBeLessThan(30_000)
})

test('a wait that is cancelled leaves the command running', async () => {
  const { call, start } = await connect()
  const id = await start(`exec sleep ${uniqueSleep()}`)
  const controller = new AbortController()
  const waiting = call('bash_output', { bash_id: id, wait_ms: 60_000 }, controller.signal)
  controller.abort('enough')

  await expect(waiting).rejects.toThrow('enough')
  expect((await call('bash_output', { bash_id: id })).structured.status).toBe('running')
})

test('without an id lists the commands of this server', async () => {
  const { call, start } = await connect()
  expect(await call('bash_output', {})).toMatchObject({ text: '[no background commands]', isError: false })
  const id = await start('echo done; exit 7')
  const { text, structured } = await waitFor(
    async () => {
      const listed = await call('bash_output', {})
      return listed.text.includes('failed') ? listed : undefined
    },
    { what: 'the command to be listed as failed' },
  )

  expect(text).toMatch(
    new RegExp(`^${id} \\[failed: exit code 7, ended \\d+s ago\\] echo done; exit 7\n  last line: done$`),
  )
  expect(structured).toMatchObject({
    status: 'listed',
    jobs: [{ id, status: 'failed', exitCode: 7, lastLine: 'done' }],
  })
})

test('gives the last lines', async () => {
  const { call, start } = await connect()
  const id = await start('seq 100')
  await call('bash_output', { bash_id: id, wait_ms: 20_000 })

  expect((await call('bash_output', { bash_id: id, tail_lines: 1 })).text).toBe('[completed]\n100\n')
})
