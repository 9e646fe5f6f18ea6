// The proxy itself: two ports on 127.0.0.1, one for commands and one for those who watch over them.

import { promises as dns } from 'node:dns'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { Clients } from './client.js'
import { controlServer } from './control.js'
import { forward, openTunnel, type Times } from './forward.js'
import { type Gate, identify, isRefusal, open, read } from './gate.js'
import { malformed, respond, respondAndEnd } from './refusal.js'
import type { Lookup } from './resolve.js'
import { limitStrangers, type Strangers } from './strangers.js'

/** All in milliseconds. */
export interface ProxyTimes extends Times {
  /** For the head of a request. */
  headersMs: number
  /** For a line on the control port. */
  grantMs: number
  /** For the resolver. */
  lookupMs: number
  /** For all addresses of a server. */
  connectMs: number
  /** Between two requests of a connection. */
  keepAliveMs: number
  /** For what a client still has to send when it has its answer: nobody wants it. */
  lingerMs: number
}

const usualTimes: ProxyTimes = {
  headersMs: 15_000,
  grantMs: 10_000,
  lookupMs: 20_000,
  connectMs: 30_000,
  keepAliveMs: 30_000,
  lingerMs: 5_000,
  idleMs: 10 * 60_000,
  halfClosedMs: 2 * 60_000,
}

/** Bytes of a request's head. */
const maxHeaderBytes = 16 * 1024

/** Requests of one connection that wait for their answers. */
const maxPipelined = 16

export interface ProxyOptions {
  secret: string
  lookup?: Lookup
  times?: Partial<ProxyTimes>
  /** Called when a command has ended, with how many are left. */
  onEnd?: (left: number) => void
}

export interface ProxyServer {
  readonly port: number
  readonly controlPort: number
  /** How many commands it serves. */
  clients(): number
  close(): void
}

const systemLookup: Lookup = (name) => dns.lookup(name, { all: true, verbatim: true })

/** @throws {NodeJS.ErrnoException} when it cannot listen on 127.0.0.1 */
export async function serveProxy({ secret, onEnd, ...options }: ProxyOptions): Promise<ProxyServer> {
  const times = { ...usualTimes, ...options.times }
  const clients = new Clients()
  const gate = { clients, lookup: options.lookup ?? systemLookup, ...times }
  const control = controlServer({
    secret,
    clients,
    grantMs: times.grantMs,
    onEnd: () => onEnd?.(clients.size),
  })
  const http = httpServer(gate, times)
  return {
    port: await listen(http),
    controlPort: await listen(control),
    clients: () => clients.size,
    close: () => {
      http.close()
      http.closeAllConnections()
      control.close()
    },
  }
}

function listen(server: NetServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      server.off('error', reject)
      // None is left to accept with, say: that passes.
      server.on('error', () => {})
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function httpServer(gate: Gate, times: ProxyTimes): Server {
  const strangers = limitStrangers()
  const server = createServer({
    insecureHTTPParser: false,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: times.headersMs,
    requestTimeout: 0,
    keepAliveTimeout: times.keepAliveMs,
    connectionsCheckingInterval: Math.min(2_000, times.headersMs),
    noDelay: true,
  })
  // What is beyond a limit would be left out in silence; the gate counts them.
  server.maxHeadersCount = 0
  // A client may end its side after its request and read on, as `nc -N` does.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: Socket) => {
    strangers.add(socket)
    socket.on('error', () => {})
    socket.once('end', () => probe(socket))
  })
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!enter(request.socket, response)) return
    response.once('finish', () => endUnlessRead(request, times.lingerMs))
    serveRequest(request, response, { gate, times, strangers }).catch(() => response.destroy())
  }
  server.on('request', answer)
  // Not before it is allowed.
  server.on('checkContinue', answer)
  server.on('connect', (request, duplex, head) => {
    const socket = duplex as Socket
    socket.on('error', () => {})
    // Its answer would come before those to other requests.
    if (pending.has(socket)) socket.destroy()
    else serveConnect(request, socket, head, { gate, times, strangers }).catch(() => socket.destroy())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket
    if (!socket.writable || pending.has(socket)) socket.destroy()
    else {
      const refusal = malformed(`The request is not understood: ${error.code ?? error.message}.`)
      respondAndEnd(socket, refusal, times.lingerMs)
    }
  })
  return server
}

/** The answers that a connection waits for, the next one first. */
const pending = new WeakMap<Socket, Set<ServerResponse>>()

/** @returns whether the connection may have one more request */
function enter(socket: Socket, response: ServerResponse): boolean {
  const responses = pending.get(socket) ?? new Set()
  if (responses.size >= maxPipelined) {
    socket.destroy()
    return false
  }
  pending.set(socket, responses.add(response))
  response.once('close', () => {
    responses.delete(response)
    if (responses.size === 0) pending.delete(socket)
  })
  return true
}

/**
 * A client that has only ended its side looks like one that has gone, and nobody would read what a server does for that. The
 * kernel answers for one that has gone: with a reset, which shows at the next write. An answer that has begun needs no help.
 */
function probe(socket: Socket): void {
  const ask = (): void => {
    const [next] = pending.get(socket) ?? []
    // HTTP/1.0 has no interim responses.
    if (next !== undefined && !next.headersSent && next.req.httpVersion !== '1.0') next.writeProcessing()
  }
  ask()
  setImmediate(ask)
}

/** A body of which nobody wants the rest must not keep the proxy reading. */
function endUnlessRead(request: IncomingMessage, lingerMs: number): void {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => request.socket.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
}

interface Service {
  gate: Gate
  times: ProxyTimes
  strangers: Strangers
}

async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, times, strangers }: Service,
): Promise<void> {
  const refuse = (refusal: Parameters<typeof respond>[1]): void => {
    // Whether the body comes is the client's choice then.
    const expects = request.headers.expect !== undefined
    respond(response, expects ? { ...refusal, last: true } : refusal)
  }
  const client = identify(request, gate)
  if (isRefusal(client)) return refuse(client)
  strangers.delete(request.socket)
  const asked = read(request)
  if (isRefusal(asked)) return refuse(asked)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const server = await open(client, asked.target, gate, gone.signal)
  if (isRefusal(server)) return refuse(server)
  if (response.destroyed) return void server.destroy()
  if (request.headers.expect !== undefined) response.writeContinue()
  forward(request, response, { ...asked, server, idleMs: times.idleMs })
}

async function serveConnect(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  { gate, times, strangers }: Service,
): Promise<void> {
  const client = identify(request, gate)
  if (isRefusal(client)) return respondAndEnd(socket, client, times.lingerMs)
  strangers.delete(socket)
  const asked = read(request)
  if (isRefusal(asked)) return respondAndEnd(socket, asked, times.lingerMs)
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const server = await open(client, asked.target, gate, gone.signal)
  if (isRefusal(server)) return respondAndEnd(socket, server, times.lingerMs)
  if (socket.destroyed) server.destroy()
  else openTunnel(socket, server, head, times)
}
