// What of a request reaches the server, and what of its answer the client.
import { createServer } from 'node:http'
import { closeProxies, exchange, grantTo, listening, startTestProxy, wire } from '../../support/proxy.js'
import { close, start } from './web-server.js'

afterEach(closeProxies)

test('Host is that of the URL, and what concerns one connection is not passed on', async () => {
  const { proxy, server, command, url, place } = await start()

  await exchange(
    proxy.port,
    [
      `GET ${url}/ HTTP/1.1`,
      'Host: other.example',
      'host: third.example',
      `${command.authorization}X-Kept: 1`,
      'x-KEPT: 2',
      'X-Dropped: 3',
      'Connection: close, X-Dropped',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'TE: trailers',
      'Trailer: X',
      'Upgrade: websocket',
      'HTTP2-Settings: AAA',
      '\r\n',
    ].join('\r\n'),
  )

  expect(server.seen.map(({ headers }) => headers)).toEqual([
    ['Host', place, 'X-Kept', '1', 'x-KEPT', '2', 'Connection', 'close'],
  ])
})

test('what concerns one connection does not come back', async () => {
  const { proxy, command, url } = await start((_, response) => {
    response.writeHead(200, 'Fine', [
      ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Keep-Alive', 'timeout=77', 'X-Dropped', '1'],
      ...['Connection', 'keep-alive, X-Dropped', 'Proxy-Authenticate', 'Basic'],
    ])
    response.end('hello')
  })

  const answer = await exchange(
    proxy.port,
    `GET ${url}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 200 Fine\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n/)
  expect(answer).not.toMatch(/timeout=77|X-Dropped|Proxy-Authenticate/)
})

test.each([
  ['with a length', 'Content-Length: 5\r\n\r\nworld', ['Content-Length', '5']],
  [
    'in chunks',
    'Transfer-Encoding: chunked\r\n\r\n2\r\nwo\r\n3;x=y\r\nrld\r\n0\r\n\r\n',
    ['Transfer-Encoding', 'chunked'],
  ],
])('a body %s reaches the server', async (_, rest, framing) => {
  const { proxy, server, command, url, place } = await start()

  await exchange(proxy.port, `POST ${url}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}${rest}`)

  expect(server.seen).toEqual([
    { method: 'POST', url: '/', headers: ['Host', place, 'Connection', 'close', ...framing], body: 'world' },
  ])
})

test('a body waits until the request is allowed when it is expected to', async () => {
  const { proxy, server, command, url } = await start()
  const head = `Host: a\r\n${command.authorization}${close}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`
  const connection = await wire(proxy.port)

  connection.send(`POST ${url}/ HTTP/1.1\r\n${head}`)
  await connection.comes('HTTP/1.1 100 Continue\r\n\r\n')
  connection.send('world')

  expect(await connection.ended()).toContain('hello')
  expect(server.seen[0]?.body).toBe('world')
  expect(await exchange(proxy.port, `POST http://other.example/ HTTP/1.1\r\n${head}`)).toMatch(
    /^HTTP\/1\.1 403 /,
  )
})

test('an answer without a body, to HEAD, is passed on with its length', async () => {
  const { proxy, command, url } = await start((_, response) => {
    response.writeHead(200, { 'Content-Length': '5' })
    response.end()
  })

  const answer = await exchange(
    proxy.port,
    `HEAD ${url}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toMatch(/Content-Length: 5\r\n.*\r\n\r\n$/s)
})

test('an upgrade is not passed on, nor granted', async () => {
  const { proxy, server, command, url } = await start()

  const answer = await exchange(
    proxy.port,
    `GET ${url}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}Connection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(server.seen[0]?.headers.join()).not.toMatch(/upgrade/i)
})

test('an IPv6 server is reached', async () => {
  const proxy = await startTestProxy()
  const server = createServer((request, response) => response.end(`to ${request.headers.host}`))
  const port = await listening(server, '::1')
  const command = await grantTo(proxy, [`[::1]:${port}`])

  expect(
    await exchange(
      proxy.port,
      `GET http://[0:0::1]:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
    ),
  ).toContain(`to [::1]:${port}`)
})
