// What happens once a request is allowed: a tunnel, or a request of its own to the server.

import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Target } from './domains.js'
import { type Framing, hasOtherCoding, requestHeaders, responseHeaders } from './headers.js'
import { bracketed } from './host.js'
import { failed, respond } from './refusal.js'

/** Of a response. */
const maxHeaderBytes = 64 * 1024

/** Interim responses (1xx) to one request. A server may send a few, to say that it is still there. */
const maxInterim = 100

export interface Times {
  /** Milliseconds that a connection may be without any byte. */
  idleMs: number
  /** Likewise, of a tunnel that one side has ended. */
  halfClosedMs: number
}

/** @param head what has come after the request */
export function openTunnel(client: Socket, server: Socket, head: Buffer, times: Times): void {
  const end = (): void => {
    client.destroy()
    server.destroy()
  }
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.setTimeout(times.idleMs, end)
    // 'close' follows an error, and then nothing more gets through.
    from.once('close', () => to.destroySoon())
    from.once('end', () => {
      from.setTimeout(times.halfClosedMs, end)
      to.setTimeout(times.halfClosedMs, end)
    })
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) server.write(head)
  client.pipe(server)
  server.pipe(client)
}

export interface Forwarding {
  target: Target
  path: string
  framing: Framing
  server: Socket
  idleMs: number
}

export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, path, framing, server, idleMs }: Forwarding,
): void {
  const { method = 'GET', rawHeaders } = request
  const place = `${bracketed(target.host)}${target.port === 80 ? '' : `:${target.port}`}`
  const outgoing = httpRequest({
    createConnection: () => server,
    method,
    path,
    // As a list: each name as often, and in the letters, that it came with.
    headers: requestHeaders(rawHeaders, { host: place, framing, method }) as never,
    insecureHTTPParser: false,
    maxHeaderSize: maxHeaderBytes,
  })
  let answered = false
  const refuse = (status: 502 | 504, reason: string): void => {
    answered = true
    respond(response, failed(status, target, reason))
    server.destroy()
  }
  server.setTimeout(idleMs, () => {
    if (!answered) return refuse(504, 'it does not answer')
    response.destroy()
    server.destroy()
  })
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    if (!answered) refuse(502, reasonOf(error))
  })
  // Asked for by nobody.
  outgoing.on('upgrade', () => refuse(502, 'it answers with another protocol'))
  let interim = 0
  outgoing.on('information', () => {
    interim += 1
    if (interim === maxInterim) refuse(502, 'it does not come to an answer')
  })
  outgoing.on('response', (incoming) => {
    if (hasOtherCoding(incoming.rawHeaders)) {
      refuse(502, 'it answers in a transfer coding that nobody asked for')
      return
    }
    answered = true
    passOn(incoming, response)
  })
  // Whether all has been sent, or the client is gone.
  response.once('close', () => server.destroy())
  if (framing === undefined) outgoing.end()
  // A server may answer, and close, before it has read the whole request: the rest is nobody's.
  else pipeline(pieces(request), outgoing, (error) => error && request.resume())
}

function passOn(incoming: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = incoming
  const phrase = /^[\t -~]*$/.test(statusMessage) ? statusMessage : ''
  response.sendDate = false
  try {
    response.writeHead(statusCode, phrase, responseHeaders(rawHeaders))
  } catch {
    response.destroy()
    return
  }
  // The client must not take for whole what was cut off.
  pipeline(pieces(incoming), response, (error) => error && response.destroy())
}

/**
 * What has come together goes on as one piece. A body of one-byte chunks would take hundreds of bytes for each of them until
 * its receiver reads.
 */
function pieces(body: IncomingMessage): AsyncIterable<Buffer> {
  // It ends with an error when the body has been cut off; and whoever stops reading does not end the connection by that.
  return body.iterator({ destroyOnReturn: false })
}

/** Without what Node adds for programmers. */
export function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return (code && reasons[code]) ?? code ?? message
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'its name cannot be looked up now',
  EMFILE: 'no descriptor is left',
  ETIMEDOUT: 'it does not answer',
}
