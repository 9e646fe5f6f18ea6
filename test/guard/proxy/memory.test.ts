// How much of what goes through the proxy is in its memory at once.
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { CommandNetwork } from '../../../lib/guard/proxy/command-network.js'
import { listening } from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'
import { authorization, connectTo, endHosts, proxyOf, startHost, takeUp } from './proxy-hosts.js'

afterEach(endHosts)

/** Resident memory at its highest, in bytes. */
const highestMemory = (pid: number): number =>
  1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const size = 200 * 1024 * 1024

test.each([
  ['a tunnel', (network: CommandNetwork, place: string) => connectTo(network, place)],
  [
    'plain HTTP',
    (network: CommandNetwork, place: string) =>
      `GET http://${place}/ HTTP/1.1\r\nHost: x\r\n${authorization(network)}Connection: close\r\n\r\n`,
  ],
])(
  '200 MB by %s, read slowly at first, stay out of its memory',
  async (way, request) => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    const server = createServer((socket) => {
      const send = (): void => {
        while (sent < size) {
          sent += piece.length
          if (!socket.write(piece)) return
        }
        socket.end()
      }
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
        socket.on('drain', send)
        send()
      })
    })
    const port = await listening(server)
    const { host, answer } = await startHost({ domains: [`127.0.0.1:${port}`] })
    const pid = await proxyOf(host)
    await takeUp(answer)
    const socket = connect(answer.proxy.port, '127.0.0.1').on('error', () => {})
    let received = 0
    socket.write(request(answer, `127.0.0.1:${port}`))
    if (way === 'a tunnel') socket.write('go')
    socket.on('data', (data) => {
      if (received === 0) socket.pause()
      received += data.length
    })
    await waitFor(() => (sent > 1024 * 1024 ? sent : undefined), { what: 'the server to send' })
    let before = -1
    await waitFor(
      () => {
        const stuck = sent === before
        before = sent
        return stuck
      },
      { what: 'the server to wait for the client', intervalMs: 200 },
    )
    expect(sent).toBeLessThan(size / 2)
    socket.on('data', (data) => {
      received += data.length
    })
    socket.resume()
    await waitFor(() => received >= size, { what: 'all of it', deadlineMs: 100_000, intervalMs: 100 })
    socket.destroy()

    expect(highestMemory(pid)).toBeLessThan(160 * 1024 * 1024)
  },
  180_000,
)
