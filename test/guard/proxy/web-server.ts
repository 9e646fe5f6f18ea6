// A web server behind a proxy, and a command that may reach it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { grantTo, listening, startTestProxy } from '../../support/proxy.js'

export const names = { 'a.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }

interface Seen {
  method: string
  url: string
  headers: string[]
  body: string
}

/** A server that keeps what it sees, and answers `hello`. */
export const startServer = async (
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
export const start = async (...[answer]: Parameters<typeof startServer>) => {
  const [proxy, server] = [await startTestProxy({ names }), await startServer(answer)]
  const place = `a.example:${server.port}`
  const command = await grantTo(proxy, [place, `127.0.0.1:${server.port}`])
  return { proxy, server, place, command, url: `http://${place}` }
}

/** Ends the connection with the answer. */
export const close = 'Connection: close\r\n'

/** A server that answers with these bytes. */
export const startRawServer = (answer: string): Promise<number> =>
  listening(createNetServer((socket) => socket.once('data', () => socket.end(answer, 'latin1'))))
