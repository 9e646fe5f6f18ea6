// Requests that are slow, too large, or read differently by different programs.
import { answered, callText, chunkedText, port, ran, runs, start, stop, token } from './one-server.js'
import { bashCall, headersOf, initialize, modernHeaders, openWire, requestText, statusOf } from './raw.js'

afterEach(stop)

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
