// Clients that end their side after the request, and read on.
import { createServer, type Socket } from 'node:net'
import { closeProxies, grantTo, listening, startTestProxy, wire } from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'
import { start } from './web-server.js'

afterEach(closeProxies)

/** A server that answers when it is told to. */
const startPatient = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    socket.once('close', () => sockets.delete(socket))
    socket.once('data', () => sockets.add(socket))
  })
  const port = await listening(server)
  const answer = (): void => {
    for (const socket of sockets) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
  }
  return { port, sockets, answer }
}

const begin = async (version = '1.1') => {
  const server = await startPatient()
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${server.port}`])
  const connection = await wire(proxy.port)
  connection.send(
    `GET http://127.0.0.1:${server.port}/ HTTP/${version}\r\nHost: a\r\n${command.authorization}\r\n`,
  )
  return { server, connection }
}

const reached = (sockets: ReadonlySet<Socket>) =>
  waitFor(() => sockets.size === 1, { what: 'the server to be reached' })

test('one that ends its side with the request gets its answer', async () => {
  const { proxy, command, url } = await start()
  const connection = await wire(proxy.port)

  connection.socket.end(`GET ${url}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)

  expect(await connection.ended()).toMatch(/HTTP\/1\.1 200 OK\r\n.*hello/s)
})

test('one that ends its side later gets its answer, after a word that it is being worked on', async () => {
  const { server, connection } = await begin()
  await reached(server.sockets)

  connection.socket.end()
  await connection.comes('HTTP/1.1 102 Processing\r\n\r\n')
  server.answer()

  expect(await connection.ended()).toMatch(
    /^(?:HTTP\/1\.1 102 Processing\r\n\r\n)+HTTP\/1\.1 200 OK\r\n.*hello$/s,
  )
})

test('one of HTTP/1.0 gets nothing but the answer', async () => {
  const { server, connection } = await begin('1.0')
  await reached(server.sockets)

  connection.socket.end()
  server.answer()

  expect(await connection.ended()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*hello$/s)
})
