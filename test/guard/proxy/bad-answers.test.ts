// Servers that answer wrongly, late or not at all.
import { createServer } from 'node:net'
import { closeProxies, exchange, grantTo, listening, startTestProxy } from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'
import { close, startRawServer } from './web-server.js'

afterEach(closeProxies)

test.each([
  ['nothing', ''],
  ['something else', 'SSH-2.0-x\r\n'],
  [
    'two ends of its body',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a coding before chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx'],
  [
    'two codings',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
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

test.each([
  ['refuses connections', '127.0.0.1', 'it refuses connections'],
  ['has no name', 'unknown.example', 'there is no such name'],
])('a server that %s is 502', async (_, host, reason) => {
  const server = createServer()
  const place = `${host}:${await listening(server)}`
  server.close()
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [place])

  const answer = await exchange(
    proxy.port,
    `GET http://${place}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
  expect(answer).toContain(`bashward: ${place} cannot be reached: ${reason}.`)
})

test('a server that never comes to an answer is left', async () => {
  let hasClosed = false
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)), 5)
    socket.resume().once('close', () => {
      clearInterval(timer)
      hasClosed = true
    })
  })
  const port = await listening(server)
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])

  const answer = await exchange(
    proxy.port,
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${close}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n.*it does not come to an answer\.\n$/s)
  await waitFor(() => hasClosed, { what: 'the connection to the server to end' })
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
