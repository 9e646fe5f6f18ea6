// Requests by plain HTTP: who may make them, and for what.
import {
  authorizationOf,
  closeProxies,
  exchange,
  grantTo,
  startTestProxy,
  wire,
} from '../../support/proxy.js'
import { close, names, start, startServer } from './web-server.js'

afterEach(closeProxies)

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
  const { proxy, server, command, url } = await start(({ url }, response) => void response.end(`to ${url}`))
  const connection = await wire(proxy.port)
  const head = `Host: a\r\n${command.authorization}`

  connection.send(`GET ${url}/1 HTTP/1.1\r\n${head}\r\n`)
  await connection.comes('to /1')
  connection.send(`GET http://other.example/2 HTTP/1.1\r\n${head}\r\n`)
  await connection.comes('HTTP/1.1 403')
  connection.send(`GET ${url}/3 HTTP/1.1\r\n${head}\r\n`)
  await connection.comes('to /3')
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
