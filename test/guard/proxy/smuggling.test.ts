// Requests that two programs could read in two ways: none of them reaches a server.
import { createServer } from 'node:net'
import { closeProxies, exchange, grantTo, listening, startTestProxy } from '../../support/proxy.js'

afterEach(closeProxies)

/** A server that only keeps what comes. */
const start = async () => {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      seen.push(text)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
  })
  const port = await listening(server)
  const proxy = await startTestProxy({ names: { 'a.example': ['127.0.0.1'] } })
  const command = await grantTo(proxy, [`a.example:${port}`, `127.0.0.1:${port}`])
  return { proxy, seen, command, place: `a.example:${port}` }
}

const inner = 'GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n'

/** Each gets where it is to go, and its authorization. */
const attempts: Record<string, (place: string, authorization: string) => string> = {
  'a length and chunks': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  'chunks and a length': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${inner}`,
  'two lengths': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Content-Length: 0\r\nContent-Length: 6\r\n\r\n${inner}`,
  'a length with a sign': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Content-Length: +6\r\n\r\n${inner}`,
  'a length in a list': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Content-Length: 6, 6\r\n\r\n${inner}`,
  'another coding before chunks': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${inner}`,
  'an unknown coding': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
  'chunks twice': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a folded header': (place, auth) =>
    `GET http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}X: a\r\n Content-Length: 6\r\n\r\n`,
  'a blank before a colon': (place, auth) =>
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}Content-Length : 6\r\n\r\n`,
  'a bare line feed after a header': (place, auth) =>
    `GET http://${place}/ HTTP/1.1\r\nHost: a\nX: y\r\n${auth}\r\n`,
  'a bare carriage return in a header': (place, auth) =>
    `GET http://${place}/ HTTP/1.1\r\nHost: a\r\nX: a\rY: b\r\n${auth}\r\n`,
  'a NUL in a header': (place, auth) => `GET http://${place}/ HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n${auth}\r\n`,
  'a NUL in the URL': (place, auth) => `GET http://${place}\0/ HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'a blank in the URL': (place, auth) => `GET http://${place}/ b HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'a header without a name': (place, auth) =>
    `GET http://${place}/ HTTP/1.1\r\nHost: a\r\n: x\r\n${auth}\r\n`,
  'a user in the URL': (place, auth) =>
    `GET http://other.example@${place}/ HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'a fragment': (place, auth) => `GET http://${place}/#@other.example HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'a backslash': (place, auth) => `GET http://${place}\\@other.example/ HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'a path alone': (place, auth) => `GET / HTTP/1.1\r\nHost: ${place}\r\n${auth}\r\n`,
  'a path of two slashes': (place, auth) => `GET //${place}/ HTTP/1.1\r\nHost: ${place}\r\n${auth}\r\n`,
  'another scheme': (place, auth) => `GET https://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'HTTP/2 without TLS': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a tunnel with a body': (place, auth) =>
    `CONNECT ${place} HTTP/1.1\r\nHost: a\r\n${auth}Content-Length: ${inner.length}\r\n\r\n${inner}`,
  'a tunnel with chunks': (place, auth) =>
    `CONNECT ${place} HTTP/1.1\r\nHost: a\r\n${auth}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a tunnel to a user': (place, auth) => `CONNECT other.example@${place} HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
  'a tunnel to a URL': (place, auth) => `CONNECT http://${place}/ HTTP/1.1\r\nHost: a\r\n${auth}\r\n`,
}

test.each(Object.keys(attempts))('%s is refused', async (name) => {
  const { proxy, seen, command, place } = await start()

  const answer = await exchange(proxy.port, attempts[name]?.(place, command.authorization) ?? '')

  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
  expect(seen).toEqual([])
})

test('the control: the same request, read in one way, is passed on', async () => {
  const { proxy, seen, command, place } = await start()

  const answer = await exchange(
    proxy.port,
    `POST http://${place}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}Connection: close\r\nContent-Length: 6\r\n\r\nabcdef`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(seen.join('')).toMatch(
    /^POST \/ HTTP\/1\.1\r\nHost: a\.example:\d+\r\nConnection: close\r\nContent-Length: 6\r\n\r\nabcdef$/,
  )
})

// The parser of Node 20.19 takes it for the end of a line.
test('a bare line feed after the request line does not reach the server', async () => {
  const { proxy, seen, command, place } = await start()

  await exchange(
    proxy.port,
    `GET http://${place}/ HTTP/1.1\nHost: a\r\n${command.authorization}Connection: close\r\n\r\n`,
  )

  expect(seen.join('').replace(/\r\n/g, '')).not.toMatch(/[\r\n]/)
})

test('more headers than anybody sends are refused, not left out', async () => {
  const { proxy, seen, command, place } = await start()
  const headers = Array.from({ length: 200 }, (_, i) => `X${i}: y\r\n`).join('')

  const answer = await exchange(
    proxy.port,
    `GET http://${place}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}${headers}\r\n`,
  )

  expect(answer).toContain('A request may have 128 headers at most.')
  expect(seen).toEqual([])
})

test('a head of more than 16 KiB is refused', async () => {
  const { proxy, seen, command, place } = await start()

  const answer = await exchange(
    proxy.port,
    `GET http://${place}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}X: ${'y'.repeat(17_000)}\r\n\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d |^$/)
  expect(seen).toEqual([])
})
