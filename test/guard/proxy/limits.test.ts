// What one command, or somebody without a token, can take of the proxy.
import { createServer, type Socket } from 'node:net'
import { maxConnections } from '../../../lib/guard/proxy/client.js'
import {
  closeProxies,
  exchange,
  grantTo,
  listening,
  startTestProxy,
  type Wire,
  wire,
} from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'

afterEach(closeProxies)

test('who sends nothing is sent away', async () => {
  const proxy = await startTestProxy({ times: { headersMs: 100 } })

  await (await wire(proxy.port)).ended()
})

test('who sends a head too slowly is sent away, however steadily', async () => {
  const proxy = await startTestProxy({ times: { headersMs: 300 } })
  const command = await grantTo(proxy, ['a.example'])
  const connection = await wire(proxy.port)
  connection.send(`GET http://a.example/ HTTP/1.1\r\nHost: a\r\n${command.authorization}X: `)
  const timer = setInterval(() => connection.socket.writable && connection.send('y'), 20)

  try {
    await connection.ended()
  } finally {
    clearInterval(timer)
  }
})

test('a connection that waits for its next request is ended', async () => {
  const proxy = await startTestProxy({ times: { keepAliveMs: 100 } })
  const command = await grantTo(proxy, ['a.example'])
  const connection = await wire(proxy.port)

  connection.send(`GET http://b.example/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)

  expect(await connection.ended()).toContain('HTTP/1.1 403')
})

/** A server that never says anything. */
const startSilent = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.resume())
    socket.once('close', () => sockets.delete(socket))
  })
  return { port: await listening(server), sockets }
}

test('a server that says nothing is 504, and is left', async () => {
  const { port, sockets } = await startSilent()
  const proxy = await startTestProxy({ times: { idleMs: 100 } })
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])

  const answer = await exchange(
    proxy.port,
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}Connection: close\r\n\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 504 /)
  await waitFor(() => sockets.size === 0, { what: 'the connection to the server to end' })
})

test('a body that does not come is not waited for', async () => {
  const { port, sockets } = await startSilent()
  const proxy = await startTestProxy({ times: { idleMs: 100 } })
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])
  const connection = await wire(proxy.port)

  connection.send(
    `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}Content-Length: 9\r\n\r\nx`,
  )

  expect(await connection.comes('HTTP/1.1 504')).toMatch(/^HTTP\/1\.1 504 /)
  await waitFor(() => sockets.size === 0, { what: 'the connection to the server to end' })
})

test('a tunnel without any byte is ended', async () => {
  const { port, sockets } = await startSilent()
  const proxy = await startTestProxy({ times: { idleMs: 100 } })
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])
  const connection = await wire(proxy.port)

  connection.send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)

  await connection.ended()
  await waitFor(() => sockets.size === 0, { what: 'the connection to the server to end' })
})

test('a client that goes away takes its connection to the server with it', async () => {
  const { port, sockets } = await startSilent()
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])
  const connection = await wire(proxy.port)
  connection.send(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)
  await waitFor(() => sockets.size === 1, { what: 'the server to be reached' })

  connection.socket.destroy()

  await waitFor(() => sockets.size === 0, { what: 'the connection to the server to end' })
})

test('a command has a bounded number of connections, and others are not concerned', async () => {
  const { port } = await startSilent()
  const proxy = await startTestProxy()
  const [command, other] = [
    await grantTo(proxy, [`127.0.0.1:${port}`]),
    await grantTo(proxy, [`127.0.0.1:${port}`]),
  ]
  const connections: Wire[] = []
  // Each takes two: its own, and that to the server.
  for (let i = 0; i < maxConnections / 2; i++) {
    const connection = await wire(proxy.port)
    connections.push(connection)
    connection.send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)
    await connection.comes('HTTP/1.1 200')
  }
  const request = (authorization: string) =>
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`

  expect(await exchange(proxy.port, request(command.authorization))).toMatch(/^HTTP\/1\.1 503 Too Many /)
  const next = await wire(proxy.port)
  next.send(request(other.authorization))
  await next.comes('HTTP/1.1 200')
  for (const { socket } of connections) socket.destroy()
}, 120_000)

test('a flood of connections without a token does not keep out who has one', async () => {
  const proxy = await startTestProxy()
  const strangers = [proxy.port, proxy.controlPort].flatMap((port) =>
    Array.from({ length: 300 }, () => wire(port).catch(() => undefined)),
  )
  await Promise.all(strangers)

  const command = await grantTo(proxy, ['a.example'])

  expect(
    await exchange(proxy.port, `CONNECT b.example:443 HTTP/1.1\r\nHost: b\r\n${command.authorization}\r\n`),
  ).toMatch(/^HTTP\/1\.1 403 /)
}, 120_000)

test('requests that nobody waits for are not piled up', async () => {
  const { port } = await startSilent()
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])
  const connection = await wire(proxy.port)

  connection.send(
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`.repeat(17),
  )

  expect(await connection.ended()).toBe('')
})

test('names are not looked up for connections that have been closed meanwhile', async () => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const proxy = await startTestProxy({
    lookup: (name) => {
      asked.push(name)
      return new Promise((_, reject) => answers.push(() => reject(new Error('no such name'))))
    },
  })
  const command = await grantTo(proxy, ['*.names.example.org'])
  const ask = async (name: string): Promise<Wire> => {
    const connection = await wire(proxy.port)
    connection.send(
      `GET http://${name}.names.example.org/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`,
    )
    return connection
  }
  for (const name of ['a', 'b', 'c', 'd']) await ask(name)
  await waitFor(() => asked.length === 4 || undefined, { what: 'four look-ups' })

  const leaving = await ask('e')
  await ask('f')
  leaving.socket.destroy()
  await exchange(proxy.port, `CONNECT not.listed:443 HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)
  for (const answer of answers.splice(0)) answer()
  await waitFor(() => asked.includes('f.names.example.org') || undefined, { what: 'the next look-up' })

  for (const answer of answers) answer()
  expect(asked).not.toContain('e.names.example.org')
})

test('who is refused and goes on sending is sent away in the end', async () => {
  const proxy = await startTestProxy()
  const connection = await wire(proxy.port)
  connection.send('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')
  const timer = setInterval(() => connection.socket.writable && connection.send('more'), 20)
  const closed = new Promise((resolve) => connection.socket.once('close', resolve))

  try {
    await closed
  } finally {
    clearInterval(timer)
  }
  expect(connection.text()).toContain('407')
}, 20_000)

test.each([
  ['refused', 'http://not.listed/', 403],
  ['answered early', undefined, 200],
])(
  'a body of which nobody wants the rest, as the request is %s, is not read for ever',
  async (_, url, status) => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')).resume()
    })
    const place = `127.0.0.1:${await listening(server)}`
    const proxy = await startTestProxy({ times: { lingerMs: 100 } })
    const command = await grantTo(proxy, [place])
    const connection = await wire(proxy.port)

    connection.send(
      `POST ${url ?? `http://${place}/`} HTTP/1.1\r\nHost: a\r\n${command.authorization}Transfer-Encoding: chunked\r\n\r\n`,
    )
    const timer = setInterval(() => connection.socket.writable && connection.send('1\r\nx\r\n'), 5)

    try {
      expect(await connection.ended()).toContain(`HTTP/1.1 ${status}`)
    } finally {
      clearInterval(timer)
    }
  },
)

test('a body that comes after a refusal leaves the connection to the next request', async () => {
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, ['a.example'])
  const connection = await wire(proxy.port)
  const head = `Host: a\r\n${command.authorization}`

  connection.send(`POST http://b.example/ HTTP/1.1\r\n${head}Content-Length: 5\r\n\r\n`)
  await connection.comes('b.example:80 is not allowed')
  connection.send(`worldGET http://c.example/ HTTP/1.1\r\n${head}\r\n`)

  await connection.comes('c.example:80 is not allowed')
})

test('bytes that come one by one go on together', async () => {
  const server = createServer((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(2_000)}0\r\n\r\n`,
    )
  })
  const port = await listening(server)
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, [`127.0.0.1:${port}`])

  const answer = await exchange(
    proxy.port,
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${command.authorization}\r\n`,
  )

  expect(answer.split('\r\n').join('').replace(/[^a]/g, '').length).toBeGreaterThanOrEqual(2_000)
  expect(answer.split('\r\n1\r\na').length).toBeLessThan(100)
})
