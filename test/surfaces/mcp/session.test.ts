// The session of a connection of the server.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createBashServer } from '../../../lib/surfaces/mcp/server.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'

const clients: Client[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

/** Opens connections of one server. */
const startServer = (backgroundAfterMs = 20_000) => {
  const options = { workingDir: '/', sandbox: 'unrestricted', scratch: false, safety: true } as const
  const jobs = tempStore()
  const server = createBashServer({
    ...options,
    session: true,
    backgroundAfterMs,
    jobs,
    version: '1.2.3',
    structured: true,
  })
  return async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    await server.connect().connect(serverSide)
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    await client.connect(clientSide)
    // From here on the client knows the schemas of the results.
    await client.listTools()
    return async (command: string, rest: object = {}) => {
      const { content, structuredContent } = await client.callTool({
        name: 'bash',
        arguments: { command, ...rest },
      })
      const [{ text } = { text: '' }] = content as { text: string }[]
      return { text, structured: structuredContent as { sessionUnsaved?: string } }
    }
  }
}

test('each connection has a session of its own', async () => {
  const connect = startServer()
  const [first, second] = [await connect(), await connect()]
  await first('cd /usr; kept=1; greet() { echo hello; }')

  expect((await first('pwd; echo $kept; greet')).text).toBe('/usr\n1\nhello\n')
  expect((await second('pwd; echo ${kept-none}')).text).toBe('/\nnone\n')
})

test('a command that goes on as a job leaves nothing to it, and the result says so', async () => {
  const call = await startServer(1_500)()
  const { text, structured } = await call(`cd /usr; sleep ${uniqueSleep()}`)
  const why = 'the command goes on as a job, and leaves nothing to the session'

  expect(structured.sessionUnsaved).toBe(why)
  expect(text).toContain(`\n[session state not saved: ${why}]`)
  expect((await call('pwd')).text).toBe('/\n')
})

test('a command that reaches its timeout leaves nothing to it, and the result says so', async () => {
  const call = await startServer()()
  const { text } = await call('cd /usr; sleep 300', { timeout: 400 })

  expect(text).toContain(
    '[session state not saved: cd, export and the like of this call were lost at the timeout]',
  )
  expect((await call('pwd')).text).toBe('/\n')
})
