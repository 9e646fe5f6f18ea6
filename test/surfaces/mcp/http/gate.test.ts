// Who is let in. Each request that is refused would run a command that leaves a file.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { bashCall, closeWires, headersOf, openWire, requestText, statusOf } from './raw.js'
import { newToken, startServer, stopServers, type TestServer } from './servers.js'

let server: TestServer
let port: number
let token: string
let ran: string

beforeEach(async () => {
  server = await startServer({ allowedHosts: ['mcp.example.org'], allowedOrigins: ['https://app.example'] })
  port = server.port
  token = server.tokens[0] ?? ''
  ran = join(tempDir(), 'ran')
})

afterEach(async () => {
  closeWires()
  await stopServers()
  removeTempDirs()
})

const call = () => bashCall(`touch ${ran}`)

/** Sends the call with these header lines in place of the usual ones. */
const send = async (
  headers: Record<string, string | undefined>,
  { target = '/mcp', method = 'POST' } = {},
) => {
  const wire = openWire(port)
  wire.send(
    requestText(method, { ...headersOf(port, token), ...call().headers, ...headers }, call().body, target),
  )
  return wire
}

/** What was refused has closed its connection, and nothing has run. */
const refused = async (headers: Record<string, string | undefined>, rest = {}) => {
  const text = await (await send(headers, rest)).closed()
  expect(existsSync(ran)).toBe(false)
  return { status: statusOf(text), text }
}

test('with a token the call runs', async () => {
  const text = await (await send({})).until('"isError":false')

  expect(statusOf(text)).toBe(200)
  expect(existsSync(ran)).toBe(true)
})

test('no response has anything for browsers in it', async () => {
  const answers = [(await send({})).until('isError'), (await send({ Authorization: undefined })).closed()]

  for (const text of await Promise.all(answers)) expect(text.toLowerCase()).not.toContain('access-control')
})

describe('Host', () => {
  test.each([
    ['of another name', 'evil.example'],
    ['of another port', '127.0.0.1:1'],
    ['without its port', '127.0.0.1'],
    ['that only begins like one', '127.0.0.1:PORT.evil.example'],
    ['with a user', 'user@127.0.0.1:PORT'],
    ['with a dot behind it', 'localhost.:PORT'],
    ['of an allowed name with a port', 'mcp.example.org:81'],
    ['that is empty', ''],
    ['that is missing', undefined],
  ])('%s is refused', async (_, host) => {
    expect((await refused({ Host: host?.replace('PORT', String(port)) })).status).toBe(403)
  })

  test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LocalHost:PORT', 'mcp.example.org'])(
    '%s is served',
    async (host) => {
      const wire = await send({ Host: host.replace('PORT', String(port)) })

      expect(statusOf(await wire.until('isError'))).toBe(200)
    },
  )
})

describe('Origin', () => {
  test.each([
    'null',
    'https://evil.example',
    'http://127.0.0.1:PORT',
    'https://app.example:444',
    '',
    'https://APP.example',
  ])('%j is refused, with a token too', async (origin) => {
    expect((await refused({ Origin: origin.replace('PORT', String(port)) })).status).toBe(403)
  })

  test('one that is allowed is served', async () => {
    const wire = await send({ Origin: 'https://app.example' })

    expect(statusOf(await wire.until('isError'))).toBe(200)
  })
})

describe('the token', () => {
  const cases: [string, () => string | undefined][] = [
    ['missing', () => undefined],
    ['empty', () => ''],
    ['without a scheme', () => token],
    ['of another scheme', () => `Basic ${token}`],
    ['another one', () => `Bearer ${newToken()}`],
    ['cut', () => `Bearer ${token.slice(0, -1)}`],
    ['longer', () => `Bearer ${token}=`],
    ['two in one', () => `Bearer ${token} ${token}`],
    ['two with a comma', () => `Bearer ${newToken()}, Bearer ${token}`],
    ['very long', () => `Bearer ${'a'.repeat(10_000)}`],
    ['its hash', () => `Bearer ${/\((\S+)…\)/.exec(server.log.join())?.[1] ?? 'x'}`],
  ]
  test.each(cases)('%s: nothing runs', async (_, authorization) => {
    const { status, text } = await refused({ Authorization: authorization() })

    expect(status).toBe(401)
    expect(text).toContain('www-authenticate: Bearer\r\n')
  })

  test('in the URL it counts for nothing', async () => {
    const target = `/mcp?access_token=${encodeURIComponent(token)}`

    expect((await refused({ Authorization: undefined }, { target })).status).toBe(401)
  })

  test('in the URL beside the header, it is refused as well', async () => {
    expect((await refused({}, { target: `/mcp?token=${encodeURIComponent(token)}` })).status).toBe(404)
  })

  test('in the body it counts for nothing', async () => {
    const wire = openWire(port)
    wire.send(requestText('POST', headersOf(port, undefined), { ...call().body, access_token: token }))

    expect(statusOf(await wire.closed())).toBe(401)
  })

  test('a scheme in other letters is the same', async () => {
    const wire = await send({ Authorization: `bearer ${token}` })

    expect(statusOf(await wire.until('isError'))).toBe(200)
  })

  test('of one that is not known the log has the beginning of its hash', async () => {
    const wrong = newToken()
    await refused({ Authorization: `Bearer ${wrong}` })

    expect(server.log.join('\n')).toMatch(/401: this token is not known \(sha256 [0-9a-f]{12}…\)/)
    expect(server.log.join('\n')).not.toContain(wrong)
    expect(server.log.join('\n')).not.toContain(token)
  })

  test('a thousand wrong ones are a line in the log, and their number', async () => {
    for (let batch = 0; batch < 50; batch += 1) {
      await Promise.all(
        Array.from(
          { length: 20 },
          async () => await (await send({ Authorization: `Bearer ${newToken()}` })).closed(),
        ),
      )
    }
    await server.stop()

    expect(server.log.length).toBeLessThan(40)
    expect(server.log.at(-1)).toMatch(/^refused \d+ more: other reasons$/)
  })
})

describe('before a token was seen, nothing tells what there is', () => {
  test.each([['PUT'], ['OPTIONS'], ['GET'], ['DELETE'], ['PATCH']])('%s is 401', async (method) => {
    const wire = openWire(port)
    wire.send(requestText(method, headersOf(port, undefined)))

    expect(statusOf(await wire.closed())).toBe(401)
  })

  test('another path is 401', async () => {
    expect((await refused({ Authorization: undefined }, { target: '/other' })).status).toBe(401)
  })
})

describe('with a token', () => {
  test.each(['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])('the method %s is refused', async (method) => {
    const wire = openWire(port)
    wire.send(requestText(method, headersOf(port, token)))

    expect(statusOf(await wire.closed())).toBe(405)
  })

  test.each([
    '/',
    '/mcp/',
    '/mcp?',
    '/MCP',
    '//mcp',
    '/mcp/../mcp',
    '/%6dcp',
    'http://127.0.0.1/mcp',
    '*',
    '/mcp#a',
  ])('the path %s is refused', async (target) => {
    expect((await refused({}, { target })).status).toBe(404)
  })

  test('CONNECT gets nothing', async () => {
    const wire = openWire(port)
    wire.send(
      `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )

    expect(await wire.closed()).not.toContain(' 200 ')
  })

  test('HTTP/1.0 is refused', async () => {
    const wire = openWire(port)
    const text = requestText('POST', { ...headersOf(port, token), ...call().headers }, call().body)
    wire.send(text.replace('HTTP/1.1', 'HTTP/1.0'))

    expect(statusOf(await wire.closed())).toBe(505)
    expect(existsSync(ran)).toBe(false)
  })

  test('an upgrade is no way around it', async () => {
    const wire = openWire(port)
    wire.send(requestText('GET', headersOf(port, undefined, { Connection: 'Upgrade', Upgrade: 'websocket' })))

    expect(statusOf(await wire.closed())).toBe(401)
  })
})

describe('Expect: 100-continue', () => {
  const expecting = (given: string | undefined) => {
    const wire = openWire(port)
    const headers = { ...headersOf(port, given), ...call().headers, Expect: '100-continue' }
    const text = requestText('POST', headers, call().body)
    wire.send(text.slice(0, text.indexOf('\r\n\r\n') + 4))
    return { wire, body: text.slice(text.indexOf('\r\n\r\n') + 4) }
  }

  test('without a token the body is never asked for', async () => {
    const text = await expecting(undefined).wire.closed()

    expect(statusOf(text)).toBe(401)
    expect(text).not.toContain('100 Continue')
  })

  test('with one it is asked for, and the call runs', async () => {
    const { wire, body } = expecting(token)
    await wire.until('HTTP/1.1 100 Continue')
    wire.send(body)
    await wire.until('isError')

    expect(existsSync(ran)).toBe(true)
  })

  test('anything else that is expected is refused', async () => {
    expect((await refused({ Expect: 'miracles' })).status).toBe(417)
  })
})

test('after a refusal hardly anything of a long body is taken', async () => {
  const wire = openWire(port)
  const size = 200 * 1024 * 1024
  wire.send(requestText('POST', { ...headersOf(port, undefined), 'Content-Length': String(size) }))
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let sent = 0
  const more = () => {
    while (sent < size && !wire.isClosed() && wire.socket.write(piece)) sent += piece.length
  }
  wire.socket.on('drain', more)
  more()
  await waitFor(() => wire.isClosed(), { what: 'the connection to be closed' })

  expect(wire.socket.bytesWritten - wire.socket.writableLength).toBeLessThan(16 * 1024 * 1024)
})
