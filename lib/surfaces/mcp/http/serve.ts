// Serving clients over HTTP, until a signal ends it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { BashServer } from '../server.js'
import { BodyError, checkBodyHeaders, readJson } from './body.js'
import { Connections } from './connections.js'
import { commonHeaders, Exchange, errorText } from './exchange.js'
import { admit, endpoint, type GateOptions, isToken, type Refusal } from './gate.js'
import { type HttpLimits, httpLimits } from './limits.js'
import { RefusalLog } from './log.js'
import { Principal } from './principal.js'
import type { Token } from './tokens.js'

export { parseTokens, TokenError } from './tokens.js'

export interface HttpOptions {
  /** A loopback address. */
  address: string
  /** 0: any that is free. */
  port: number
  tokens: readonly Token[]
  /** Names by which a reverse proxy is asked for this server, beside those of the address. */
  allowedHosts?: readonly string[]
  allowedOrigins?: readonly string[]
  limits?: Partial<HttpLimits>
}

/**
 * Resolves when `signal` is aborted, and no command of a call runs any more.
 *
 * @param onListening told the URL
 * @param log told of what is wrong with requests, now and then
 * @throws the error of listen(2) (rejects)
 */
export async function serveOverHttp(
  server: BashServer,
  { address, port, tokens, allowedHosts = [], allowedOrigins = [], ...rest }: HttpOptions,
  {
    signal,
    onListening,
    log,
  }: {
    signal: AbortSignal
    onListening: (url: string) => void
    log: (message: string) => void
  },
): Promise<void> {
  const limits = { ...httpLimits, ...rest.limits }
  const refusals = new RefusalLog(log)
  const http = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
    requireHostHeader: false,
    insecureHTTPParser: false,
  })
  http.maxConnections = limits.connections
  const connections = new Connections(http, limits)
  const principals = new Map<Token, Principal>()
  const principalOf = (token: Token): Principal => {
    const known = principals.get(token)
    if (known !== undefined) return known
    const made = new Principal(token, server, limits, (text) => refusals.add(text))
    principals.set(token, made)
    return made
  }
  const actual = await listen(http, address, port)
  const gate: GateOptions = {
    tokens,
    hosts: new Set([...ownHosts(address, actual), ...allowedHosts]),
    origins: new Set(allowedOrigins),
  }
  const serve = (request: IncomingMessage, response: ServerResponse, isExpected: boolean) => {
    const { socket } = request
    if (!connections.begin(socket, response)) return
    const refuse = (refusal: Refusal) => {
      connections.refused(socket)
      answerRefused(socket, response, refusal)
    }
    if (signal.aborted) return refuse({ status: 503, message: 'this server is about to end' })
    const admitted = admit(request, gate)
    if (!isToken(admitted)) {
      refusals.add(`${admitted.status}: ${admitted.message}`, admitted.tokenName)
      return refuse(admitted)
    }
    connections.known(socket)
    const principal = principalOf(admitted)
    const exchange = () => new Exchange(request, response, limits, principal.exchanges)
    handle(request, response, { isExpected, principal, exchange, limits }).catch((error: unknown) => {
      if (error instanceof BodyError) return refuse(error)
      if (!request.errored) refusals.add(error instanceof Error ? error.message : String(error))
      socket.destroy()
    })
  }
  http.on('request', (request, response) => serve(request, response, false))
  // Nothing of the body is sent before it is asked for.
  http.on('checkContinue', (request, response) => serve(request, response, true))
  http.on('checkExpectation', (request, response) => serve(request, response, true))
  http.on('clientError', (error, socket) => answerNonsense(error, socket as Socket, connections))
  const sweep = setInterval(() => {
    for (const principal of principals.values()) principal.sweep(performance.now())
  }, limits.sweepMs)
  onListening(`http://${bracketed(address)}:${actual}${endpoint}`)

  await aborted(signal)
  clearInterval(sweep)
  http.close()
  await Promise.all([...principals.values()].map((principal) => principal.close()))
  await server.idle()
  connections.closeAll()
  refusals.close()
}

interface Admitted {
  isExpected: boolean
  principal: Principal
  exchange: () => Exchange
  limits: HttpLimits
}

/** @throws {BodyError} (rejects) */
async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { isExpected, principal, exchange, limits }: Admitted,
): Promise<void> {
  if (request.method !== 'POST') {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (Number(length) > 0 || encoding !== undefined) throw new BodyError(400, 'only POST has a body')
    return await principal.serve(exchange(), { value: undefined, bytes: 0 })
  }
  checkBodyHeaders(request, limits.bodyBytes)
  if (isExpected && request.headers.expect?.toLowerCase() !== '100-continue') {
    throw new BodyError(417, 'only 100-continue can be expected')
  }
  if (isExpected) response.writeContinue()
  const body = await readJson(request, limits.bodyBytes)
  await principal.serve(exchange(), body)
}

/** Answers, and is done with the connection: what its client still sends is not taken. */
function answerRefused(
  socket: Socket,
  response: ServerResponse,
  { status, message, headers = {} }: Refusal,
): void {
  if (response.headersSent) return void socket.destroy()
  const text = errorText(message)
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  response.end(text, () => socket.destroy())
}

const nonsense: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is no HTTP, too long or too slow. */
function answerNonsense(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  connections: Connections,
): void {
  if (!socket.writable || !connections.isFree(socket)) return void socket.destroy()
  const status = nonsense[code] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}

/**
 * Connections that may wait to be accepted: as many as Linux lets (net.core.somaxconn). What does not fit it drops without a word,
 * and the client asks again after 1, 2, 4 seconds and so on, for minutes: Node accepts one at a time, and 512 are soon too few.
 */
const backlog = 4096

async function listen(http: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen({ host, port, ipv6Only: true, backlog }, resolve)
  })
  http.removeAllListeners('error')
  return (http.address() as AddressInfo).port
}

function ownHosts(address: string, port: number): string[] {
  const names = [bracketed(address), 'localhost']
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
}

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address)

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
