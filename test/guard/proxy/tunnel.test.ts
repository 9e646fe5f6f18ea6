// Tunnels by CONNECT.
import { createServer, type Socket } from 'node:net'
import {
  authorizationOf,
  closeProxies,
  exchange,
  grantTo,
  listening,
  startTestProxy,
  wire,
} from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'

afterEach(closeProxies)

const names = { 'a.example': ['127.0.0.1'] }

/** A server that sends back what it gets, and one command that may reach it. */
const start = async (serve = (socket: Socket): void => void socket.pipe(socket)) => {
  const connected = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connected.add(socket)
    socket.once('close', () => connected.delete(socket))
    serve(socket)
  })
  const port = await listening(server)
  const proxy = await startTestProxy({ names })
  const command = await grantTo(proxy, [`a.example:${port}`, `127.0.0.1:${port}`])
  return { proxy, port, command, connected }
}

const established = 'HTTP/1.1 200 Connection Established\r\n\r\n'

test('a tunnel carries bytes both ways, those that come with the request, too', async () => {
  const { proxy, port, command } = await start()
  const connection = await wire(proxy.port)

  connection.send(`CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\nfirst `)
  await connection.comes('first ')
  connection.send('second')

  expect(await connection.comes('second')).toBe(`${established}first second`)
})

test('the end of one direction leaves the other open', async () => {
  const { proxy, port, command } = await start((socket) => {
    socket.resume().once('end', () => socket.end('after the end'))
  })
  const connection = await wire(proxy.port)

  connection.send(`CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`)
  await connection.comes(established)
  connection.socket.end()

  expect(await connection.ended()).toBe(`${established}after the end`)
})

test('a server that ends first can still be written to', async () => {
  let received = ''
  const { proxy, port, command } = await start((socket) => {
    socket.end('bye').on('data', (piece) => {
      received += piece
    })
  })
  const connection = await wire(proxy.port)

  connection.send(`CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`)
  await connection.ended()
  connection.socket.end('still here')

  await waitFor(() => received === 'still here', { what: 'the server to read the rest' })
})

test('with a wrong token there is none', async () => {
  const { proxy, port, connected } = await start()

  const answer = await exchange(
    proxy.port,
    `CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${authorizationOf('f'.repeat(48))}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 407 /)
  expect(connected.size).toBe(0)
})

test.each([
  ['other.example:443', 'other.example:443'],
  ['a.example:22', 'a.example:22'],
  ['A.EXAMPLE.:22', 'a.example:22'],
  ['[::1]:443', '[::1]:443'],
  ['10.0.0.1:443', '10.0.0.1:443'],
  ['localhost:22', 'localhost:22'],
])('CONNECT %s is 403 when it is not listed, and reported', async (where, place) => {
  const { proxy, command } = await start()

  const answer = await exchange(
    proxy.port,
    `CONNECT ${where} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`,
  )

  expect(answer.split('\r\n')[0]).toBe(`HTTP/1.1 403 Forbidden: ${place} is not allowed`)
  expect(answer).toContain(`bashward: ${place} is not among what this command may reach: `)
  expect(command.control.text()).toBe(`OK\nDENIED ${place}\n`)
})

test.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1%lo]', '127.0.0.1.'])(
  'CONNECT to loopback, written as %s, leads nowhere',
  async (host) => {
    const { proxy, port, command, connected } = await start()

    const answer = await exchange(
      proxy.port,
      `CONNECT ${host}:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`,
    )

    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(connected.size).toBe(0)
  },
)

test('a mapped address is another one than that which is listed', async () => {
  const { proxy, port, command, connected } = await start()

  const answer = await exchange(
    proxy.port,
    `CONNECT [::ffff:127.0.0.1]:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  expect(connected.size).toBe(0)
})

test('port 80 takes an entry of its own', async () => {
  const proxy = await startTestProxy({ names })
  const command = await grantTo(proxy, ['a.example'])

  const answer = await exchange(
    proxy.port,
    `CONNECT a.example:80 HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 403 /)
})

test('the end of the command ends its tunnels at once, and its token', async () => {
  const { proxy, port, command, connected } = await start()
  const connection = await wire(proxy.port)
  const request = `CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`
  connection.send(request)
  await connection.comes(established)

  command.control.socket.destroy()

  await connection.ended()
  await waitFor(() => connected.size === 0, { what: 'the connection to the server to end' })
  expect(await exchange(proxy.port, request)).toMatch(/^HTTP\/1\.1 407 /)
  expect(proxy.clients()).toBe(0)
})

test('a supervisor that only shuts down its side has ended, too', async () => {
  const { proxy, port, command } = await start()
  const connection = await wire(proxy.port)
  connection.send(`CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`)
  await connection.comes(established)

  command.control.socket.end()

  await connection.ended()
  expect(proxy.clients()).toBe(0)
})

test('the tunnels of another command stay', async () => {
  const { proxy, port, command } = await start()
  const other = await grantTo(proxy, [`127.0.0.1:${port}`])
  const connection = await wire(proxy.port)
  connection.send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n${other.authorization}\r\n`)
  await connection.comes(established)

  command.control.socket.destroy()
  await waitFor(() => proxy.clients() === 1, { what: 'the other command to end' })
  connection.send('still here')

  await connection.comes('still here')
})

test('a tunnel cannot be asked for while an answer is awaited', async () => {
  const { proxy, port, command } = await start((socket) => void socket.resume())
  const connection = await wire(proxy.port)
  const head = `HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`

  connection.send(`GET http://a.example:${port}/ ${head}CONNECT a.example:${port} ${head}`)

  expect(await connection.ended()).toBe('')
})

test('the first address that answers is used', async () => {
  const server = createServer((socket) => void socket.end('from IPv6'))
  const port = await listening(server, '::1')
  const proxy = await startTestProxy({ names: { 'a.example': ['127.0.0.1', '::1'] } })
  const command = await grantTo(proxy, [`a.example:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])

  expect(
    await exchange(
      proxy.port,
      `CONNECT a.example:${port} HTTP/1.1\r\nHost: x\r\n${command.authorization}\r\n`,
    ),
  ).toBe(`${established}from IPv6`)
})
