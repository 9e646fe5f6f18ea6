// The server without processes of its own: protocol answers and signs of life.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020'
import type { SandboxMode } from '../../../lib/index.js'
import { createBashServer } from '../../../lib/surfaces/mcp/server.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'

const clients: Client[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await endJobs()
  removeTempDirs()
})

const connect = async ({
  sandbox = 'unrestricted' as SandboxMode,
  scratch = false,
  heartbeatMs = 30,
} = {}) => {
  const server = createBashServer({
    workingDir: '/',
    sandbox,
    scratch,
    safety: true,
    backgroundAfterMs: 20_000,
    jobs: tempStore(),
    version: '1.2.3',
    structured: true,
    heartbeatMs,
  })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await server.connect().connect(serverSide)
  const client = new Client({ name: 'test', version: '1' })
  clients.push(client)
  await client.connect(clientSide)
  return { server, client }
}

/** A command that waits until the test has heard what it waits for. */
const untilAborted = 'sleep 300'

describe('progress', () => {
  test.each(['default', 'slow'])(
    'beats while a silent command runs, with what it has printed (mode %s)',
    async (mode) => {
      const { client } = await connect()
      const enough = new AbortController()
      const seen: { progress: number; message?: string | undefined }[] = []
      const call = client.callTool(
        { name: 'bash', arguments: { command: `printf 12345; ${untilAborted}`, mode } },
        {
          signal: enough.signal,
          onprogress: (progress) => {
            seen.push(progress)
            if (progress.message?.endsWith('5B of output') && seen.length >= 4) enough.abort('heard')
          },
        },
      )

      await expect(call).rejects.toThrow('heard')
      expect(seen[0]).toMatchObject({ progress: 0, message: 'started' })
      for (const [index, { progress }] of seen.entries()) {
        if (index > 0) expect(progress).toBeGreaterThan(seen[index - 1]?.progress ?? 0)
      }
      expect(seen.at(-1)?.message).toMatch(/^running for \d+s, 5B of output$/)
    },
  )

  test('does not come unasked', async () => {
    const { client } = await connect({ heartbeatMs: 1 })
    const unasked: unknown[] = []
    client.fallbackNotificationHandler = async (notification) => void unasked.push(notification)
    await client.callTool({ name: 'bash', arguments: { command: 'sleep .1' } })

    expect(unasked).toEqual([])
  })
})

test('an unknown tool is a protocol error that names the tools', async () => {
  const { client } = await connect()

  await expect(client.callTool({ name: 'shell', arguments: {} })).rejects.toThrow(
    'Unknown tool: shell (there are bash, bash_output, kill_bash)',
  )
})

test.each([
  ['grep x /dev/null', false],
  ['cmp -s /dev/null /bin/sh', true],
  ['false', true],
])('%s ends with 1, and is an error: %s', async (command, isError) => {
  const { client } = await connect()
  const result = await client.callTool({ name: 'bash', arguments: { command } })

  expect(result.isError ?? false).toBe(isError)
  expect(JSON.stringify(result.content)).toContain('[command failed: exit code 1]')
})

test('the server names itself and its version', async () => {
  const { client } = await connect()

  expect(client.getServerVersion()).toMatchObject({ name: 'bashward', version: '1.2.3' })
})

describe('annotations follow the mode', () => {
  test.each([
    ['unrestricted', { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
    ['restricted', { readOnlyHint: true, openWorldHint: false }],
  ] as const)('%s', async (sandbox, hints) => {
    const { client } = await connect({ sandbox })
    const { tools } = await client.listTools()
    const [bash, bashOutput, killBash] = tools.map(({ annotations }) => annotations)

    expect(bash).toMatchObject(hints)
    expect(bashOutput).toMatchObject({ readOnlyHint: true })
    expect(killBash).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true })
  })
})

testRestricted('in Restricted mode the description says so, and a write is refused', async () => {
  const { client } = await connect({ sandbox: 'restricted' })
  const { tools } = await client.listTools()
  const result = await client.callTool({ name: 'bash', arguments: { command: 'touch /tmp/denied' } })

  expect(tools[0]?.description).toContain('RESTRICTED MODE')
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { sandbox: 'restricted', denied: 'files are read-only in Restricted mode' },
  })
})

testRestricted('that a scratch directory is full is within the schema of results', async () => {
  const { client } = await connect({ sandbox: 'restricted', scratch: true })
  const [bash] = (await client.listTools()).tools
  const command = 'truncate -s 1T "$TMPDIR/file"'
  const { structuredContent } = await client.callTool({ name: 'bash', arguments: { command } })

  expect(structuredContent).toMatchObject({ status: 'failed', limit: 'scratch' })
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(bash?.outputSchema as object)
  validate(structuredContent)
  expect(validate.errors).toBeNull()
})

test('idle() waits for the commands of a connection that is gone', async () => {
  const { server, client } = await connect()
  const started = new Promise((resolve) => {
    client
      .callTool({ name: 'bash', arguments: { command: 'sleep 300' } }, { onprogress: resolve })
      .catch(() => {})
  })
  await started
  await client.close()

  await server.idle()
})
