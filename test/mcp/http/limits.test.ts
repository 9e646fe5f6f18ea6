// What the server takes of a client at most, and what it does not take at all.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import {
  bashCall,
  closeWires,
  headersOf,
  initialize,
  modern,
  modernHeaders,
  openWire,
  requestText,
  statusOf,
  type Wire,
} from './raw.js'
import { startServer, stopServers, type TestServer, type TestServerOptions } from './servers.js'

let server: TestServer
let port: number
let token: string
let ran: string

const start = async (options: TestServerOptions = {}) => {
  server = await startServer(options)
  port = server.port
  token = server.tokens[0] ?? ''
  ran = join(tempDir(), 'ran')
}

afterEach(async () => {
  closeWires()
  await stopServers()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const callText = (headers: Record<string, string | undefined> = {}, command = `echo >> ${ran}`) => {
  const { headers: own, body } = bashCall(command)
  return requestText('POST', { ...headersOf(port, token), ...own, ...headers }, body)
}

const chunkedText = (headers: Record<string, string | undefined>) => {
  const { headers: own, body } = bashCall(`echo >> ${ran}`)
  const text = JSON.stringify(body)
  const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const all = { ...headersOf(port, token), ...own, 'Content-Length': undefined, ...headers }
  return requestText('POST', all, chunks)
}

const runs = () => (existsSync(ran) ? readFileSync(ran, 'utf8').length : 0)

const answered = async (text: string): Promise<number> => {
  const wire = openWire(port)
  wire.send(text)
  return statusOf(await wire.closed())
}

const open2025 = async (given = token) => {
  const wire = openWire(port)
  wire.send(requestText('POST', headersOf(port, given), initialize()))
  const text = await wire.until(/"serverInfo"/)
  return /mcp-session-id: (\S+)/.exec(text)?.[1] ?? ''
}

describe('time', () => {
  test('whoever sends nothing is cut', async () => {
    await start({ limits: { headersMs: 300 } })

    await openWire(port).closed()
  })

  test('header lines that come one by one are cut', async () => {
    await start({ limits: { headersMs: 300 } })
    const wire = openWire(port)
    const timer = setInterval(() => wire.send('X-More: x\r\n'), 50)
    wire.send(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`)
    const text = await wire.closed()
    clearInterval(timer)

    expect(['', '408']).toContain(text.slice(9, 12))
    expect(runs()).toBe(0)
  })

  test('a body that comes byte by byte is cut', async () => {
    await start({ limits: { headersMs: 300, requestMs: 600 } })
    const wire = openWire(port)
    const timer = setInterval(() => wire.send(' '), 50)
    wire.send(callText({ 'Content-Length': '100000' }))
    await wire.closed()
    clearInterval(timer)

    expect(runs()).toBe(0)
  })

  test('a connection is kept between two requests, and then closed', async () => {
    await start({ limits: { keepAliveMs: 1000 } })
    const wire = openWire(port)
    wire.send(callText())
    await wire.until('isError')
    wire.send(callText())
    await wire.until(/isError[\s\S]*isError/)
    await wire.closed()

    expect(runs()).toBe(2)
  })
})

describe('bodies', () => {
  const status = async (headers: Record<string, string | undefined>, body: string) =>
    await answered(
      requestText(
        'POST',
        { ...headersOf(port, token), ...modernHeaders('tools/call', 'bash'), ...headers },
        body,
      ),
    )

  beforeEach(() => start({ limits: { bodyBytes: 10_000 } }))

  test('one that says it is too long is refused at once', async () => {
    expect(await status({ 'Content-Length': '10001' }, '{')).toBe(413)
  })

  test('one that is too long, and does not say so, is refused as it comes', async () => {
    const chunked = `2711\r\n${' '.repeat(10_001)}\r\n`
    expect(await status({ 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }, chunked)).toBe(413)
  })

  test.each([
    ['no JSON', '{"jsonrpc":', 400],
    ['nothing', '', 400],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 400],
    ['no JSON-RPC', '{"method":1}', 400],
    ['null', 'null', 400],
    ['a number', '1', 400],
    ['an empty batch', '[]', 400],
    ['nested ten thousand times', '['.repeat(9_990), 400],
  ])('%s is refused', async (_, body, expected) => {
    const wire = openWire(port)
    const headers = { ...headersOf(port, token), 'Content-Length': String(Buffer.byteLength(body, 'latin1')) }
    wire.send(Buffer.from(requestText('POST', headers, body), 'latin1'))

    expect(statusOf(await wire.until('\r\n\r\n'))).toBe(expected)
  })

  test('a text is no JSON', async () => {
    expect(await status({ 'Content-Type': 'text/plain' }, bashCall('x').body.jsonrpc)).toBe(415)
  })

  test('one that is compressed is not unpacked', async () => {
    expect(await status({ 'Content-Encoding': 'gzip' }, '{}')).toBe(415)
  })

  test('only POST has one', async () => {
    const text = requestText('GET', headersOf(port, token), '{}')

    expect(await answered(text)).toBe(400)
  })
})

describe('what reads differently here and elsewhere', () => {
  beforeEach(() => start())

  test.each([
    ['two lengths', () => callText({ 'content-length': '5' })],
    ['a length that is shorter than the body', () => callText({ 'Content-Length': '10' })],
    ['a length and chunks', () => callText({ 'Transfer-Encoding': 'chunked' })],
    ['a length that is no number', () => callText({ 'Content-Length': '1e3' })],
    ['a negative one', () => callText({ 'Content-Length': '-1' })],
    [
      'another transfer encoding',
      () => callText({ 'Content-Length': undefined, 'Transfer-Encoding': 'gzip, chunked, x' }),
    ],
    [
      'another transfer encoding before the chunks',
      () => chunkedText({ 'Transfer-Encoding': 'gzip, chunked' }),
    ],
    ['two hosts', () => callText({ host: 'evil.example' })],
    ['two tokens', () => callText({ authorization: 'Bearer x' })],
    ['two origins', () => callText({ Origin: 'https://a.example', origin: 'https://b.example' })],
    ['two sessions', () => callText({ 'Mcp-Session-Id': 'a', 'mcp-session-id': 'b' })],
    ['NUL in a header', () => callText({ 'X-A': 'a\0b' })],
    ['NUL in the token', () => callText({ Authorization: `Bearer ${token}\0` })],
    ['a header that is two lines', () => callText({ 'X-A': 'a\r\n b' })],
    ['a line that ends with a bare carriage return', () => callText({ 'X-A': 'a\rHost: evil.example' })],
    ['a blank before the colon', () => callText({ 'Host ': 'evil.example' })],
    ['no header name', () => callText({ '': 'x' })],
  ])('%s: it does not run', async (_, text) => {
    const status = await answered(text())

    expect(status).not.toBe(200)
    expect(runs()).toBe(0)
  })

  test('a length that is longer than the body: it does not run when the client goes away', async () => {
    const wire = openWire(port)
    wire.send(callText({ 'Content-Length': '5000' }))
    wire.socket.end()
    await wire.closed()

    expect(runs()).toBe(0)
  })

  test('what comes after a body is another request, which needs a token of its own', async () => {
    const wire = openWire(port)
    wire.send(callText())
    await wire.until('isError')
    wire.send(callText({ Authorization: undefined }))

    expect(await wire.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 401 /)
    expect(runs()).toBe(1)
  })

  test('a request that does not wait for the answer to the one before closes the connection', async () => {
    const wire = openWire(port)
    wire.send(callText({}, 'sleep 300') + callText())
    await wire.closed()

    expect(runs()).toBe(0)
  })

  test('a request behind one that was refused is not looked at', async () => {
    const wire = openWire(port)
    wire.send(callText({ Authorization: undefined }) + callText())

    expect(statusOf(await wire.closed())).toBe(401)
    expect(runs()).toBe(0)
  })

  test('trailers are no headers', async () => {
    const wire = openWire(port)
    const { headers, body } = bashCall(`echo >> ${ran}`)
    const given = {
      ...headersOf(port, undefined),
      ...headers,
      'Transfer-Encoding': 'chunked',
      Trailer: 'Authorization',
    }
    const text = JSON.stringify(body)
    const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\nAuthorization: Bearer ${token}\r\n\r\n`
    wire.send(requestText('POST', { ...given, 'Content-Length': undefined }, chunks))

    expect(statusOf(await wire.closed())).toBe(401)
    expect(runs()).toBe(0)
  })

  test('header lines of 16 KiB are too many', async () => {
    expect(await answered(callText({ 'X-A': 'a'.repeat(20_000) }))).toBe(431)
  })

  test('what a client sends comes back in no header line', async () => {
    const wire = openWire(port)
    wire.send(
      requestText(
        'POST',
        { ...headersOf(port, token), 'Mcp-Session-Id': 'abc%0d%0aX-Evil: 1', 'Mcp-Name': 'x' },
        initialize(),
      ),
    )
    const text = await wire.until('\r\n\r\n')

    expect(text).not.toContain('X-Evil')
  })

  test('TLS and HTTP/2 are no HTTP/1.1', async () => {
    for (const bytes of [
      Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]),
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    ]) {
      const wire = openWire(port)
      wire.send(bytes)
      expect(await wire.closed()).toMatch(/^HTTP\/1\.1 400 /)
    }
  })
})

describe('numbers', () => {
  test('of connections without a token the oldest goes', async () => {
    await start({ limits: { strangers: 4, strangerMs: 50 } })
    const wires: Wire[] = []
    for (let count = 0; count < 6; count += 1) {
      const wire = openWire(port)
      await waitFor(() => !wire.socket.connecting, { what: 'a connection' })
      wires.push(wire)
    }
    await waitFor(() => wires.filter((wire) => wire.isClosed()).length === 2, { what: 'two to be closed' })

    expect(wires.map((wire) => wire.isClosed())).toEqual([true, true, false, false, false, false])
  })

  test('there is a place for another one, however many of those there are', async () => {
    await start({ limits: { connections: 128, strangerMs: 600_000 } })
    const wires: Wire[] = []
    for (let count = 0; count < 127; count += 1) {
      wires.push(openWire(port))
      await waitFor(() => wires.at(-1)?.socket.connecting === false, { what: 'a connection' })
    }
    const late = openWire(port)
    late.send(callText())
    await late.until('isError')

    expect(wires.map((wire) => wire.isClosed()).indexOf(false)).toBe(2)
  })

  test('they keep nobody out who has one', async () => {
    await start({ limits: { strangers: 4 } })
    const known = openWire(port)
    known.send(callText())
    await known.until('isError')
    for (let count = 0; count < 20; count += 1) openWire(port)
    const late = openWire(port)
    late.send(callText())
    await late.until('isError')
    known.send(callText())
    await known.until(/isError[\s\S]*isError/)

    expect(runs()).toBe(3)
  })

  test('there are no more connections than that', async () => {
    await start({ limits: { connections: 3 } })
    const known: Wire[] = []
    for (let count = 0; count < 3; count += 1) {
      const wire = openWire(port)
      wire.send(callText())
      await wire.until('isError')
      known.push(wire)
    }

    expect(await openWire(port).closed()).toBe('')
    known[0]?.socket.destroy()
    await waitFor(
      async () => {
        const wire = openWire(port)
        wire.send(callText())
        return await wire.until('isError').catch(() => undefined)
      },
      { what: 'another one to be let in' },
    )
  })

  test('500 clients come at once, and stay', async () => {
    await start()
    const list = modern(1, 'tools/list', {})
    const text = requestText('POST', { ...headersOf(port, token), ...modernHeaders('tools/list') }, list)
    const wires = Array.from({ length: 500 }, () => {
      const wire = openWire(port)
      wire.socket.on('connect', () => wire.send(text))
      return wire
    })
    await waitFor(() => wires.every((wire) => wire.text().includes('kill_bash')), {
      what: 'all of them to be answered',
      deadlineMs: 40_000,
    })
    const late = openWire(port)
    late.send(callText())
    await late.until('isError')

    expect(wires.filter((wire) => wire.isClosed())).toEqual([])
  })

  const getStream = (session: string, given = token) => {
    const wire = openWire(port)
    wire.send(
      requestText('GET', headersOf(port, given, { 'Content-Type': undefined, 'Mcp-Session-Id': session })),
    )
    return wire
  }

  test('streams of a token, whatever their sessions', async () => {
    await start({ limits: { streams: 2 } })
    const sessions = [await open2025(), await open2025(), await open2025()]
    const [first, second, third] = sessions.map((session) => getStream(session))
    const texts = await Promise.all([first, second, third].map(async (wire) => await wire?.until('\r\n\r\n')))

    expect(texts.map((text) => statusOf(text ?? ''))).toEqual([200, 200, 429])
    const [, other = ''] = server.tokens
    expect(statusOf(await getStream(await open2025(other), other).until('\r\n\r\n'))).toBe(200)
    first?.socket.destroy()
    await waitFor(async () => statusOf(await getStream(sessions[0] ?? '').until('\r\n\r\n')) === 200, {
      what: 'a stream to be free',
    })
  })

  test('one stream of notifications a session', async () => {
    await start()
    const session = await open2025()
    await getStream(session).until('\r\n\r\n')

    expect(statusOf(await getStream(session).until('\r\n\r\n'))).toBe(409)
  })

  test('bodies of a token that are not answered yet', async () => {
    await start({ limits: { bodyBytesInAll: 1000 } })
    const wire = openWire(port)
    wire.send(callText({}, `echo >> ${ran}; until [ -e ${ran}.go ]; do sleep .02; done #${'x'.repeat(500)}`))
    await waitFor(() => runs() === 1, { what: 'it to run' })
    const second = openWire(port)
    second.send(callText({}, `echo >> ${ran} #${'x'.repeat(500)}`))
    const answer = await second.until('\r\n\r\n')

    expect(statusOf(answer)).toBe(429)
    writeFileSync(`${ran}.go`, '')
    await wire.until('isError')
    await waitFor(
      async () => {
        const third = openWire(port)
        third.send(callText({}, `echo >> ${ran} #${'x'.repeat(500)}`))
        return statusOf(await third.until('\r\n\r\n')) === 200
      },
      { what: 'room for another' },
    )
    expect(runs()).toBe(2)
  })

  test('calls of a token', async () => {
    await start({ limits: { calls: 2 } })
    const wires = ['1', '2'].map((name) => {
      const wire = openWire(port)
      wire.send(callText({}, `echo >> ${ran}; until [ -e ${ran}.${name} ]; do sleep .02; done`))
      return wire
    })
    await waitFor(() => runs() === 2, { what: 'both to run' })
    const third = openWire(port)
    third.send(callText())

    expect(await third.until('"jsonrpc"')).toContain('2 calls of this token run already; nothing was started')
    for (const wire of wires) wire.socket.destroy()
    await waitFor(
      async () => {
        const wire = openWire(port)
        wire.send(callText({}, 'echo free'))
        return (await wire.until(/"jsonrpc"/)).includes('free')
      },
      { what: 'a call to be taken' },
    )
    expect(runs()).toBe(2)
  })

  test('sessions of a token: the longest unused one goes', async () => {
    await start({ limits: { sessions: 2 } })
    const sessions = [await open2025(), await open2025(), await open2025()]
    const statuses = await Promise.all(
      sessions.map(async (session) => {
        const wire = openWire(port)
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
        wire.send(requestText('POST', headersOf(port, token, { 'Mcp-Session-Id': session }), body))
        return statusOf(await wire.until('\r\n\r\n'))
      }),
    )

    expect(statuses).toEqual([404, 200, 200])
  })
})

describe('a client that reads', () => {
  test('gets more than a mebibyte that is made at once', async () => {
    await start()
    const session = await open2025()
    const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const wire = openWire(port)
    const headers = { ...headersOf(port, token), 'Mcp-Session-Id': session, Connection: 'close' }
    wire.send(requestText('POST', headers, messages))
    const text = await wire.closed(30_000)

    expect(text.length).toBeGreaterThan(1024 * 1024)
    expect(text.match(/"tools":\[/g)).toHaveLength(100)
  })
})

describe('a client that does not read', () => {
  test('is cut when a mebibyte is unsent, and its command is killed', async () => {
    await start({ heartbeatMs: 5, limits: { unsentMs: 100 } })
    const before = process.memoryUsage().rss
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before)
    }, 20)
    const marker = uniqueSleep()
    for (let count = 0; count < 3; count += 1) {
      const wire = openWire(port)
      // Each sign of life is as long as what the client is told it by.
      const meta = { progressToken: 'x'.repeat(500_000) }
      const { headers, body } = bashCall(`sleep ${marker}`, meta)
      wire.send(requestText('POST', { ...headersOf(port, token), ...headers }, body))
      wire.socket.pause()
    }
    await waitForSleep(marker, 3)
    await waitUntilGone(marker, 30_000)
    clearInterval(timer)

    expect(most).toBeLessThan(300 * 1024 * 1024)
  })
})
