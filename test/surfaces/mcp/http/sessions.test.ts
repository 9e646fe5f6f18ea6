// Sessions of the protocols of 2025, and their streams.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../../support/jobs.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../../support/processes.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { closeWires, headersOf, initialize, openWire, requestText, statusOf } from './raw.js'
import { startServer, stopServers, type TestServer, type TestServerOptions } from './servers.js'

let server: TestServer
let token: string
let otherToken: string

const start = async (options: TestServerOptions = {}) => {
  server = await startServer(options)
  ;[token = '', otherToken = ''] = server.tokens
}

afterEach(async () => {
  closeWires()
  await stopServers()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

type Headers = Record<string, string>

const send = (method: string, headers: Headers, body?: object, given = token) => {
  const wire = openWire(server.port)
  wire.send(requestText(method, { ...headersOf(server.port, given), ...headers }, body))
  return wire
}

const open = async (given = token): Promise<Headers> => {
  const text = await send('POST', {}, initialize(), given).until('serverInfo')
  const id = /mcp-session-id: (\S+)/.exec(text)?.[1] ?? ''
  return { 'Mcp-Session-Id': id, 'MCP-Protocol-Version': '2025-11-25' }
}

const list = (id = 1) => ({ jsonrpc: '2.0', id, method: 'tools/list' })

const bash = (command: string, id = 1, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'bash', arguments: { command, ...args }, _meta: { progressToken: id } },
})

const status = async (...args: Parameters<typeof send>) => statusOf(await send(...args).until('\r\n\r\n'))

describe('a session', () => {
  test('has an id that cannot be guessed', async () => {
    await start()
    const [one = {}, two = {}] = [await open(), await open()]

    expect(one['Mcp-Session-Id']).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect(one['Mcp-Session-Id']).not.toBe(two['Mcp-Session-Id'])
  })

  test.each(['GET', 'POST', 'DELETE'])('is not there for another token: %s', async (method) => {
    await start()
    const session = await open()
    const body = method === 'POST' ? list() : undefined

    expect(await status(method, session, body, otherToken)).toBe(404)
    expect(await status('POST', session, list())).toBe(200)
  })

  test('that was never opened is not there, either', async () => {
    await start()

    expect(await status('POST', { 'Mcp-Session-Id': 'A'.repeat(32) }, list())).toBe(404)
    expect(await status('POST', {}, list())).toBe(400)
    expect(await status('GET', {})).toBe(400)
  })

  test('ends with DELETE', async () => {
    await start()
    const session = await open()

    expect(await status('DELETE', session)).toBe(200)
    expect(await status('POST', session, list())).toBe(404)
  })

  test('ends when nobody has used it for a while, and not while a call runs', async () => {
    await start({ limits: { sessionIdleMs: 100, sweepMs: 20 } })
    const [busy, idle] = [await open(), await open()]
    const go = join(tempDir(), 'go')
    const call = send('POST', busy, bash(`until [ -e ${go} ]; do sleep .02; done; echo done`))
    await waitFor(async () => (await status('DELETE', idle)) === 404, { what: 'the idle one to end' })
    writeFileSync(go, '')

    expect(await call.until('isError')).toContain('done')
  })

  test('cannot be opened twice, nor in a batch', async () => {
    await start()
    const session = await open()

    expect(await status('POST', session, initialize())).toBe(400)
    expect(await status('POST', {}, [initialize(), list()])).toBe(400)
  })

  test('that could not be opened leaves nothing', async () => {
    await start({ limits: { sessions: 1 } })
    const session = await open()
    for (let count = 0; count < 3; count += 1) {
      expect(await status('POST', { Accept: 'text/html' }, initialize())).toBe(406)
    }

    expect(await status('POST', session, list())).not.toBe(500)
  })

  test('takes no second request with the id of one that runs', async () => {
    await start()
    const session = await open()
    const marker = uniqueSleep()
    send('POST', session, bash(`sleep ${marker}`, 5))
    await waitForSleep(marker)

    expect(await status('POST', session, bash('echo', 5))).toBe(400)
    expect(await status('POST', session, [list(7), list(7)])).toBe(400)
    expect(
      await status('POST', session, {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 5 },
      }),
    ).toBe(202)
    await waitUntilGone(marker)
    expect(await status('POST', session, list(5))).toBe(200)
  })

  test('a call that is cancelled ends its stream', async () => {
    await start()
    const session = await open()
    const marker = uniqueSleep()
    const call = send('POST', session, bash(`sleep ${marker}`, 5))
    await waitForSleep(marker)
    await status('POST', session, {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 5 },
    })

    expect(await call.until('0\r\n\r\n')).toContain('"message":"cancelled"')
  })
})

describe('a stream', () => {
  const idsIn = (text: string) => [...text.matchAll(/^id: (\S+)/gm)].map(([, id]) => id ?? '')
  const progressIn = (text: string) =>
    [...text.matchAll(/"progress":([\d.]+)/g)].map(([, number]) => Number(number))

  /** A call that has told of progress, and waits for the file. */
  const begin = async () => {
    const session = await open()
    const go = join(tempDir(), 'go')
    const wire = send('POST', session, bash(`until [ -e ${go} ]; do sleep .02; done; echo the end`))
    const text = await wire.until(/"progress":0\.[\s\S]*"progress":0\.[\s\S]*\n\n/)
    return { session, go, wire, text }
  }

  test('that was cut goes on after the last event: each one once, in their order', async () => {
    await start({ heartbeatMs: 20 })
    const { session, go, wire, text } = await begin()
    wire.socket.destroy()
    const seen = idsIn(text)
    const last = seen[2] ?? ''
    const before = progressIn(text.slice(0, text.indexOf(`id: ${seen[3]}\n`)))
    const resumed = send('GET', { ...session, 'Last-Event-ID': last })
    await resumed.until('"progress"')
    writeFileSync(go, '')
    const rest = await resumed.until('0\r\n\r\n')
    const all = [...before, ...progressIn(rest)]

    expect(rest).toContain('the end')
    expect(all).toEqual([...new Set(all)].sort((a, b) => a - b))
    expect(idsIn(rest)[0]).toBe(seen[3])
    expect(new Set(idsIn(rest)).size).toBe(idsIn(rest).length)
  })

  test('can be resumed when its call has ended meanwhile', async () => {
    await start({ heartbeatMs: 20 })
    const { session, go, wire, text } = await begin()
    wire.socket.destroy()
    writeFileSync(go, '')
    const resume = async () => {
      const headers = { ...session, 'Last-Event-ID': idsIn(text)[0] ?? '' }
      const given = await send('GET', headers).until('0\r\n\r\n')
      // The header lines have the time.
      return given.slice(given.indexOf('\r\n\r\n'))
    }
    const rest = await waitFor(
      async () => {
        const given = await resume()
        return given.includes('the end') ? given : undefined
      },
      { what: 'the result' },
    )

    expect(await resume()).toBe(rest)
  })

  test('is taken over by the client that comes back: the old connection may hang', async () => {
    await start({ heartbeatMs: 20 })
    const { session, go, wire, text } = await begin()
    const resumed = send('GET', { ...session, 'Last-Event-ID': idsIn(text)[0] ?? '' })
    expect(await resumed.until('"progress"')).toMatch(/^HTTP\/1\.1 200/)
    await wire.until('0\r\n\r\n')
    writeFileSync(go, '')

    expect(await resumed.until('0\r\n\r\n')).toContain('the end')
  })

  test('cut a second time is waited for a second time', async () => {
    await start({ heartbeatMs: 20, limits: { resumeMs: 300 } })
    const session = await open()
    const marker = uniqueSleep()
    const wire = send('POST', session, bash(`sleep ${marker}`))
    const text = await wire.until('"progress"')
    await waitForSleep(marker)
    wire.socket.destroy()
    const resumed = send('GET', { ...session, 'Last-Event-ID': idsIn(text)[0] ?? '' })
    await resumed.until('"progress"')
    resumed.socket.destroy()

    await waitUntilGone(marker)
  })

  test.each([
    ['with an Accept that takes no stream', 'is cut', { Accept: 'application/json' }, 406],
    ['in a protocol that is not known', 'hangs', { 'MCP-Protocol-Version': '1999-01-01' }, 400],
  ])('that is asked for %s, while its connection %s, ends in time', async (_, old, wrong, refusal) => {
    await start({ heartbeatMs: 20, limits: { resumeMs: 300 } })
    const session = await open()
    const marker = uniqueSleep()
    const wire = send('POST', session, bash(`sleep ${marker}`))
    const text = await wire.until('"progress"')
    await waitForSleep(marker)
    if (old === 'is cut') wire.socket.destroy()
    const headers = { ...session, 'Last-Event-ID': idsIn(text)[0] ?? '', ...wrong }

    expect(await status('GET', headers)).toBe(refusal)
    await waitUntilGone(marker)
  })

  test.each([
    ['of another session of the token', async (_: string) => await open()],
    ['of another token', async (_: string) => undefined],
  ])('is not there for an event %s', async (_, other) => {
    await start({ heartbeatMs: 20 })
    const { text, go } = await begin()
    const id = idsIn(text)[0] ?? ''
    const foreign = await other(id)
    const [session, given] = foreign === undefined ? [await open(otherToken), otherToken] : [foreign, token]
    const answer = await send('GET', { ...session, 'Last-Event-ID': id }, undefined, given).until('"jsonrpc"')
    writeFileSync(go, '')

    expect(statusOf(answer)).toBe(400)
    expect(answer).not.toContain('progress')
  })

  test.each(['x', '1', '../../etc', `${'0'.repeat(24)}-1`, '__proto__'])(
    'is not there for the event %j',
    async (id) => {
      await start()

      expect(await status('GET', { ...(await open()), 'Last-Event-ID': id })).toBe(400)
    },
  )

  test('of which too much has been sent cannot be resumed from its beginning', async () => {
    await start({ heartbeatMs: 5, limits: { eventBytes: 2_000 } })
    const { session, text, wire } = await begin()
    await waitFor(() => idsIn(wire.text()).length > 20, { what: 'more events than are kept' })

    expect(await status('GET', { ...session, 'Last-Event-ID': idsIn(text)[0] ?? '' })).toBe(400)
  })

  test('of notifications tells what has happened meanwhile', async () => {
    await start()
    const session = await open()
    await status('POST', session, {
      jsonrpc: '2.0',
      id: 1,
      method: 'logging/setLevel',
      params: { level: 'info' },
    })
    const first = send('GET', session)
    await first.until('\r\n\r\n')
    await send('POST', session, bash('exit 4', 2, { mode: 'background' })).until('isError')
    const text = await first.until('exit code 4')
    first.socket.destroy()
    await send('POST', session, bash('exit 5', 3, { mode: 'background' })).until('isError')
    const rest = await waitFor(
      async () => {
        const wire = send('GET', { ...session, 'Last-Event-ID': idsIn(text)[0] ?? '' })
        await wire.until('\r\n\r\n')
        return await wire.until('exit code 5').catch(() => undefined)
      },
      { what: 'the other message' },
    )

    expect(rest).not.toContain('exit code 4')
  })
})
