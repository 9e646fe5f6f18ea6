// The same call over other transports, each with a worker process of its own. They do nothing else that a fleet does.
import { spawn, spawnSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'

const program = join(import.meta.dirname, 'peer.mjs')

async function freePort() {
  return await new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

async function startWorker(kind, port) {
  const child = spawn(process.execPath, [program, kind, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((ready) => child.stdout.once('data', ready))
  return child
}

/** Bare node:http, with connections that stay. */
export async function httpPeer() {
  const port = await freePort()
  const worker = await startWorker('http', port)
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const call = async (command) =>
    await new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method: 'POST', agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('end', () => resolve(JSON.parse(text)))
      })
      sent.on('error', reject).end(JSON.stringify({ command }))
    })
  const stop = async () => {
    agent.destroy()
    worker.kill()
  }
  return { name: 'bare HTTP', call, stop }
}

/** Request and reply over NATS, by its text protocol. @returns undefined where nats-server is not installed */
export async function natsPeer() {
  if (spawnSync('nats-server', ['--version']).error !== undefined) return undefined
  const port = await freePort()
  const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  await reachable(port)
  const worker = await startWorker('nats', port)
  const connection = natsConnection(port)
  const waiting = new Map()
  let serial = 0
  connection.onMessage = (subject, text) => {
    const id = subject.split('.').at(-1)
    waiting.get(id)?.(JSON.parse(text))
    waiting.delete(id)
  }
  connection.subscribe('reply.*')
  const call = async (command) =>
    await new Promise((resolve) => {
      serial += 1
      waiting.set(String(serial), resolve)
      connection.publish('exec', JSON.stringify({ command }), `reply.${serial}`)
    })
  const stop = async () => {
    connection.close()
    worker.kill()
    server.kill()
  }
  return { name: 'NATS', call, stop }
}

async function reachable(port) {
  for (let left = 200; left > 0; left -= 1) {
    const isUp = await new Promise((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () =>
        resolve(false),
      )
      socket.on('connect', () => socket.destroy())
    })
    if (isUp) return
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error('nats-server does not start')
}

/** As much of https://docs.nats.io/reference/reference-protocols/nats-protocol as request and reply need. */
export function natsConnection(port) {
  const socket = createConnection(port, '127.0.0.1').setNoDelay()
  let buffer = Buffer.alloc(0)
  const self = {
    onMessage() {},
    subscribe: (subject) => socket.write(`SUB ${subject} 1\r\n`),
    publish(subject, text, reply = '') {
      socket.write(`PUB ${subject} ${reply} ${Buffer.byteLength(text)}\r\n${text}\r\n`)
    },
    close: () => socket.destroy(),
  }
  socket.write('CONNECT {"verbose":false}\r\n')
  socket.on('data', (piece) => {
    buffer = Buffer.concat([buffer, piece])
    for (;;) {
      const end = buffer.indexOf('\r\n')
      if (end < 0) return
      const words = buffer.subarray(0, end).toString().split(' ')
      if (words[0] === 'PING') socket.write('PONG\r\n')
      if (words[0] !== 'MSG') {
        buffer = buffer.subarray(end + 2)
        continue
      }
      const size = Number(words.at(-1))
      if (buffer.length < end + 2 + size + 2) return
      const text = buffer.subarray(end + 2, end + 2 + size).toString()
      buffer = buffer.subarray(end + 2 + size + 2)
      self.onMessage(words[1], text, words.length > 4 ? words[3] : undefined)
    }
  })
  return self
}
