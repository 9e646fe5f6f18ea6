// A connection that is cut, and calls that are sent again.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../../support/jobs.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../../support/processes.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { killPrograms } from '../../cli/program.js'
import { closeHttpClients, connectHttp, connectHttp2025, httpClients } from './http-clients.js'
import { bashCall, closeWires, headersOf, initialize, openWire, requestText } from './raw.js'
import { newToken, startHttpProgram, startServer, stopServers, type TestServer } from './servers.js'

let directory: string
beforeEach(() => {
  directory = tempDir()
})

afterEach(async () => {
  await closeHttpClients()
  closeWires()
  await stopServers()
  await killPrograms()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

/** Notes each run, waits until it may go on, and prints. */
const waiting = (name: string) =>
  `echo >> ${directory}/${name}; until [ -e ${directory}/go ]; do sleep .02; done; echo done ${name}`

const runs = (name: string) => {
  const file = join(directory, name)
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0
}

const letGo = async (server: TestServer) => {
  const client = await connectHttp(server.url, server.tokens[0] ?? '')
  await client.call('bash', { command: `touch ${directory}/go` })
}

const conversationOf = async (server: { url: URL }, token: string): Promise<string> => {
  const { _meta } = await (await connectHttp(server.url, token)).listTools()
  return String(_meta?.['bashward/conversation'])
}

const metaOf = (callId: string, conversation: string) => ({
  'bashward/callId': callId,
  'bashward/conversation': conversation,
})

/** Sends a call in the protocol of 2026. */
const sendModern = (server: TestServer, command: string, meta: object = {}) => {
  const wire = openWire(server.port)
  const { headers, body } = bashCall(command, meta)
  wire.send(requestText('POST', { ...headersOf(server.port, server.tokens[0]), ...headers }, body))
  return wire
}

const openSession = async (server: TestServer, version = '2025-11-25') => {
  const wire = openWire(server.port)
  wire.send(requestText('POST', headersOf(server.port, server.tokens[0]), initialize(version)))
  const session = /mcp-session-id: (\S+)/.exec(await wire.until('serverInfo'))?.[1] ?? ''
  return { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': version }
}

/** Sends a call in a session. */
const sendInSession = (server: TestServer, session: object, command: string, meta: object = {}, id = 1) => {
  const wire = openWire(server.port)
  const params = { name: 'bash', arguments: { command }, _meta: meta }
  const body = { jsonrpc: '2.0', id, method: 'tools/call', params }
  wire.send(requestText('POST', { ...headersOf(server.port, server.tokens[0]), ...session }, body))
  return wire
}

describe('a connection that is cut', () => {
  test('in the protocol of 2026 the command is killed', async () => {
    const server = await startServer()
    const marker = uniqueSleep()
    const wire = sendModern(server, `sleep ${marker}`)
    await waitForSleep(marker)
    wire.socket.destroy()

    await waitUntilGone(marker)
  })

  test('while its call is streamed, too', async () => {
    const server = await startServer({ heartbeatMs: 20 })
    const marker = uniqueSleep()
    const wire = sendModern(server, `sleep ${marker}`, { progressToken: 1 })
    await wire.until('running for')
    await waitForSleep(marker)
    wire.socket.destroy()

    await waitUntilGone(marker)
  })

  test('in a session whose client cannot come back the command is killed at once', async () => {
    const server = await startServer({ limits: { resumeMs: 600_000 } })
    const marker = uniqueSleep()
    const wire = sendInSession(server, await openSession(server, '2025-06-18'), `sleep ${marker}`)
    await waitForSleep(marker)
    wire.socket.destroy()

    await waitUntilGone(marker)
  })

  test('in a session whose client does not come back it is killed after a while', async () => {
    const server = await startServer({ limits: { resumeMs: 300 } })
    const marker = uniqueSleep()
    const wire = sendInSession(server, await openSession(server), `sleep ${marker}`)
    await waitForSleep(marker)
    wire.socket.destroy()

    await waitUntilGone(marker)
  })

  test.each(['2025', '2026'])(
    'with a call id it goes on, and is answered when it is sent again: %s',
    async (era) => {
      const server = await startServer({ limits: { resumeMs: 1 } })
      const meta = metaOf('a', await conversationOf(server, server.tokens[0] ?? ''))
      const session = era === '2025' ? await openSession(server) : {}
      const send = (id: number) =>
        era === '2025'
          ? sendInSession(server, session, waiting('a'), meta, id)
          : sendModern(server, waiting('a'), meta)
      const first = send(1)
      await waitFor(() => runs('a') === 1, { what: 'the command to run' })
      first.socket.destroy()
      const second = send(2)
      await letGo(server)
      const text = await second.until('isError')

      expect(text).toContain('"output":"done a\\n"')
      expect(text).toContain('"replayed":true')
      expect(runs('a')).toBe(1)
      expect(await send(3).until('isError')).toContain('"output":"done a\\n"')
      expect(runs('a')).toBe(1)
    },
  )

  test('with a call id that is no string it is refused, and nothing runs', async () => {
    const server = await startServer()
    const conversation = await conversationOf(server, server.tokens[0] ?? '')
    for (const callId of [1, '', 'a'.repeat(1025), '\ud800', null]) {
      const wire = sendModern(server, waiting('a'), {
        'bashward/callId': callId,
        'bashward/conversation': conversation,
      })
      expect(await wire.until('"jsonrpc"')).toContain('bashward/callId')
    }
    expect(runs('a')).toBe(0)
  })
})

describe.each(httpClients)('%s, protocol of %s: a call with an id', (_, __, connect) => {
  test('runs once, whatever connection and session it comes by', async () => {
    const server = await startServer()
    const [token = ''] = server.tokens
    const first = await connect(server.url, token)
    const { _meta } = await first.listTools()
    const meta = metaOf('call 1', String(_meta?.['bashward/conversation']))
    const command = `echo >> ${directory}/once; wc -l < ${directory}/once`
    const answer = await first.call('bash', { command }, { meta })
    await first.close()
    const second = await connect(server.url, token)
    const again = await second.call('bash', { command }, { meta })

    expect(answer.text).toBe('1\n')
    expect(again.text).toBe('1\n[the call was made before: nothing has run again]')
    expect([answer.structured.replayed, again.structured.replayed]).toEqual([undefined, true])
  })

  test('of another command is refused', async () => {
    const server = await startServer()
    const client = await connect(server.url, server.tokens[0] ?? '')
    const meta = metaOf('1', await conversationOf(server, server.tokens[0] ?? ''))
    await client.call('bash', { command: 'echo one' }, { meta })
    const { structured } = await client.call('bash', { command: 'echo two' }, { meta })

    expect(structured).toMatchObject({ status: 'error', error: { code: 'ERR_CALL_ID_REUSED' } })
  })

  test('needs a conversation that this token was given', async () => {
    const server = await startServer()
    const [token = '', otherToken = ''] = server.tokens
    const client = await connect(server.url, token)
    const command = `touch ${directory}/ran`
    const foreign = await conversationOf(server, otherToken)
    const own = await conversationOf(server, token)
    const forged = `${own.slice(0, -2)}${own.endsWith('AA') ? 'BB' : 'AA'}`
    for (const conversation of [undefined, foreign, forged, '', 'bwc_', 7, [own]]) {
      const meta = {
        'bashward/callId': '1',
        ...(conversation !== undefined && { 'bashward/conversation': conversation }),
      }
      await expect(client.call('bash', { command }, { meta })).rejects.toThrow('bashward/conversation')
    }
    expect(existsSync(join(directory, 'ran'))).toBe(false)
  })

  test('two tokens do not meet in it', async () => {
    const server = await startServer()
    const texts = await Promise.all(
      server.tokens.map(async (token) => {
        const client = await connect(server.url, token)
        const meta = metaOf('1', await conversationOf(server, token))
        return (await client.call('bash', { command: `echo >> ${directory}/ran` }, { meta })).text
      }),
    )

    expect(texts).toEqual(['[no output]', '[no output]'])
    expect(runs('ran')).toBe(2)
  })
})

test('JSON-RPC ids make no call id: two clients both begin with 1', async () => {
  const server = await startServer()
  const sessions = [await openSession(server), await openSession(server)]
  for (const session of sessions)
    await sendInSession(server, session, `echo >> ${directory}/ran`).until('isError')
  await sendModern(server, `echo >> ${directory}/ran`).until('isError')
  await sendModern(server, `echo >> ${directory}/ran`).until('isError')

  expect(runs('ran')).toBe(4)
})

test('a conversation has its session with whoever names it', async () => {
  const server = await startServer({ session: true })
  const [token = ''] = server.tokens
  const [one, two] = [await conversationOf(server, token), await conversationOf(server, token)]
  const modern = await connectHttp(server.url, token)
  const older = await connectHttp2025(server.url, token)
  const dir = async (client: typeof modern, conversation: string | undefined, command = 'pwd') => {
    const meta = conversation === undefined ? {} : { 'bashward/conversation': conversation }
    return (await client.call('bash', { command }, { meta })).text
  }
  await dir(modern, one, 'cd /usr')

  expect(await dir(older, one)).toBe('/usr\n')
  expect(await dir(modern, two)).toBe('/\n')
  expect(await dir(modern, undefined)).toBe('/\n')
  expect(await dir(older, undefined)).toBe('/\n')
})

test('what a call came to is known after the server was killed and started anew', async () => {
  const tokens = [newToken()]
  const [token = ''] = tokens
  const calls = ['--calls', join(directory, 'ledger')]
  const first = await startHttpProgram(tokens, calls)
  const meta = (id: string) => metaOf(id, conversation)
  const conversation = await conversationOf(first, token)
  const client = await connectHttp(first.url, token)
  const marker = uniqueSleep()
  const ended = await client.call('bash', { command: 'echo before; date +%N' }, { meta: meta('ended') })
  const cut = client.call(
    'bash',
    { command: `echo >> ${directory}/ran; sleep ${marker}` },
    { meta: meta('cut') },
  )
  cut.catch(() => {})
  await waitForSleep(marker)
  first.kill('SIGKILL')
  await expect(cut).rejects.toThrow()
  await waitUntilGone(marker)

  const second = await startHttpProgram(tokens, calls)
  const later = await connectHttp(second.url, token)
  const again = await later.call('bash', { command: 'echo before; date +%N' }, { meta: meta('ended') })
  const lost = await later.call(
    'bash',
    { command: `echo >> ${directory}/ran; sleep ${marker}` },
    { meta: meta('cut') },
  )
  const never = await later.call(
    'bash',
    { command: `echo >> ${directory}/new; wc -l < ${directory}/new` },
    { meta: meta('never') },
  )

  expect(again.text).toBe(`${ended.text}[the call was made before: nothing has run again]`)
  expect(again.structured.replayed).toBe(true)
  expect(lost.structured).toMatchObject({ status: 'error', error: { code: 'ERR_WORKER_LOST' } })
  expect(runs('ran')).toBe(1)
  expect(never.text).toBe('1\n')
})
