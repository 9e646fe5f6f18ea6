// Requests by plain HTTP: who may make them, what reaches the server, and what comes back.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import {
  authorizationOf,
  closeProxies,
  exchange,
  grantTo,
  listening,
  startTestProxy,
  wire,
} from '../support/proxy.js'

afterEach(closeProxies)

const names = { 'a.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }

interface Seen {
  method: string
  url: string
  headers: string[]
  body: string
}

/** A server that keeps what it sees, and answers `hello`. */
const startServer = async (
  answer = (_: IncomingMessage, response: ServerResponse) => void response.end('hello'),
) => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1').on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.rawHeaders, body })
      answer(request, response)
    })
  })
  return { port: await listening(server), seen }
}

/** A proxy, a server, and a command that may reach it under the name a.example. */
const start = async (...[answer]: Parameters<typeof startServer>) => {
  const [proxy, server] = [await startTestProxy({ names }), await startServer(answer)]
  const place = `a.example:${server.port}`
  const command = await grantTo(proxy, [place, `127.0.0.1:${server.port}`])
  return { proxy, server, place, command, url: `http://${place}` }
}

const close = 'Connection: close\r\n'

test('a request reaches the server, and its answer the client', async () => {
  const { proxy, server, command, url, place } = await start()

  const answer = await exchange(
    proxy.port,
    `GET ${url}/x?y=z HTTP/1.1\r\nHost: ${place}\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nhello$/s)
  expect(server.seen).toEqual([
    { method: 'GET', url: '/x?y=z', headers: ['Host', place, 'Connection', 'close'], body: '' },
  ])
})

test.each([
  ['no token', () => ''],
  ['a wrong token', () => authorizationOf('0'.repeat(48))],
  ['an empty token', () => authorizationOf('')],
  ['another user', (token: string) => authorizationOf(token, 'bashwarD')],
  ['no user', (token: string) => authorizationOf(token, '')],
  ['two tokens', (token: string) => authorizationOf(token).repeat(2)],
  ['another scheme', (token: string) => `Proxy-Authorization: Bearer ${token}\r\n`],
  ['the token in another header', (token: string) => authorizationOf(token).replace('Proxy-', '')],
])('with %s it is 407, and the server sees nothing', async (_, header) => {
  const { proxy, server, command, url, place } = await start()

  const answer = await exchange(
    proxy.port,
    `GET ${url}/ HTTP/1.1\r\nHost: ${place}\r\n${header(command.token)}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 407 Proxy Authentication Required\r\n/)
  expect(answer).toContain('Proxy-Authenticate: Basic realm="bashward"\r\n')
  expect(server.seen).toEqual([])
})

test('what is not listed is 403 with the name and the list, and the supervisor has read of it before', async () => {
  const { proxy, command, place } = await start()

  const answer = await exchange(
    proxy.port,
    `GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n${command.authorization}${close}\r\n`,
  )

  expect(command.control.text()).toBe('OK\nDENIED other.example:80\n')
  expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden: other\.example:80 is not allowed\r\n/)
  expect(answer).toContain(`bashward: other.example:80 is not among what this command may reach: ${place}, `)
})

test('another port of a listed name is 403, and the answer says which ports there are', async () => {
  const proxy = await startTestProxy({ names })
  const command = await grantTo(proxy, ['a.example'])

  const answer = await exchange(
    proxy.port,
    `GET http://a.example:8080/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toContain('Without a port an entry stands for 443, and for 80 by plain HTTP only.')
})

test('a listed name that leads to a private address is 403, and names the address', async () => {
  const proxy = await startTestProxy({ names })
  const command = await grantTo(proxy, ['a.example'])

  const answer = await exchange(
    proxy.port,
    `GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden/)
  expect(answer).toContain('a.example leads to 127.0.0.1, which is private')
  expect(command.control.text()).toBe('OK\nDENIED 127.0.0.1:80\n')
})

test('a name is looked up once, and the address that was judged is the one that is connected to', async () => {
  let lookups = 0
  const lookup = async () => {
    lookups += 1
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2' }]
  }
  const [proxy, server] = [await startTestProxy({ lookup }), await startServer()]
  const command = await grantTo(proxy, [`a.example:${server.port}`, `127.0.0.1:${server.port}`])
  const request = `GET http://a.example:${server.port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`

  expect(await exchange(proxy.port, request)).toMatch(/^HTTP\/1\.1 200 /)
  expect(lookups).toBe(1)
  // The next request is judged anew: 127.0.0.2 is not listed.
  expect(await exchange(proxy.port, request)).toMatch(/^HTTP\/1\.1 403 /)
  expect(server.seen).toHaveLength(1)
})

test('each request of a connection is judged', async () => {
  const { proxy, server, command, url } = await start()
  const connection = await wire(proxy.port)
  const head = `Host: a\r\n${command.authorization}`

  connection.send(`GET ${url}/1 HTTP/1.1\r\n${head}\r\n`)
  await connection.comes('hello')
  connection.send(`GET http://other.example/2 HTTP/1.1\r\n${head}\r\n`)
  await connection.comes('HTTP/1.1 403')
  connection.send(`GET ${url}/3 HTTP/1.1\r\n${head}\r\n`)
  await connection.comes('hello\n'.slice(0, 5))
  connection.send(`GET ${url}/4 HTTP/1.1\r\nHost: a\r\n\r\n`)

  expect(await connection.ended()).toContain('HTTP/1.1 407')
  expect(server.seen.map(({ url: path }) => path)).toEqual(['/1', '/3'])
})

test('a connection of one command does not become that of another', async () => {
  const { proxy, command, url } = await start()
  const other = await grantTo(proxy, ['b.example'])
  const connection = await wire(proxy.port)

  connection.send(`GET ${url}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)
  await connection.comes('hello')
  connection.send(`GET http://b.example/ HTTP/1.1\r\nHost: b\r\n${other.authorization}\r\n`)

  expect(await connection.ended()).toContain('HTTP/1.1 407')
  expect(other.control.text()).toBe('OK\n')
})

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

/** A server that answers with these bytes. */
const startRawServer = (answer: string): Promise<number> =>
  listening(createNetServer((socket) => socket.once('data', () => socket.end(answer, 'latin1'))))

test.each([
  ['nothing', ''],
  ['something else', 'SSH-2.0-x\r\n'],
  [
    'two ends of its body',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b: c\r\nContent-Length: 0\r\n\r\n'],
])('a server that answers %s is 502', async (_, answer) => {
  const port = await startRawServer(answer)
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])

  expect(
    await exchange(
      proxy.port,
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
    ),
  ).toMatch(
    new RegExp(
      `^HTTP/1\\.1 502 Bad Gateway\\r\\n.*bashward: 127\\.0\\.0\\.1:${port} cannot be reached: `,
      's',
    ),
  )
})

test('an answer that is cut off is not taken for whole', async () => {
  const port = await startRawServer('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])

  const answer = await exchange(
    proxy.port,
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).not.toContain('\r\n0\r\n\r\n')
})

test('a server that refuses connections, or has no name, is 502', async () => {
  const { proxy, command, server } = await start()
  closeProxies()
  const again = await startTestProxy({ names })
  const other = await grantTo(again, [`127.0.0.1:${server.port}`, 'unknown.example'])
  const ask = (url: string) =>
    exchange(again.port, `GET ${url} HTTP/1.1\r\nHost: a\r\n${other.authorization}${close}\r\n`)

  expect(await ask(`http://127.0.0.1:${server.port}/`)).toContain(
    'cannot be reached: it refuses connections.',
  )
  expect(await ask('http://unknown.example/')).toContain('cannot be reached: there is no such name.')
  expect([proxy.port, command.token]).toBeDefined()
})

test('a resolver that does not answer is 504', async () => {
  const proxy = await startTestProxy({ lookup: () => new Promise(() => {}), times: { lookupMs: 50 } })
  const command = await grantTo(proxy, ['a.example'])

  expect(
    await exchange(
      proxy.port,
      `GET http://a.example/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 504 Gateway Timeout\r\n/)
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
