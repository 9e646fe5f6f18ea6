// What the proxy says when it does not do what it is asked: for people and models, who read it in the output of tools.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { admits, type Domain, formatDomain, type Target, usualPort } from './domains.js'
import { bracketed } from './host.js'

export interface Refusal {
  readonly status: number
  /** In the status line, which more tools show than the body. */
  readonly phrase: string
  /** A sentence or more. */
  readonly text: string
  /** Whether nothing else may follow on the connection. */
  readonly last?: boolean
}

/** `host:port`, as a policy would list it. */
export function placeOf(host: string, port: number): string {
  return `${bracketed(host)}:${port}`
}

export function unauthorized(): Refusal {
  const text = 'This proxy serves commands of bashward only, each with its own token, as long as it runs.'
  return { status: 407, phrase: 'Proxy Authentication Required', text, last: true }
}

export function malformed(text: string): Refusal {
  return { status: 400, phrase: 'Bad Request', text, last: true }
}

export function notListed(target: Target, domains: readonly Domain[]): Refusal {
  const place = placeOf(target.host, target.port)
  const shown = domains.slice(0, maxShown).map(formatDomain)
  if (domains.length > maxShown) shown.push(`and ${domains.length - maxShown} more`)
  const list = shown.length === 0 ? 'nothing' : shown.join(', ')
  const isOfHost = domains.some((domain) =>
    admits(domain, { ...target, port: domain.port ?? usualPort(target) }),
  )
  const ports = isOfHost ? ' Without a port an entry stands for 443, and for 80 by plain HTTP only.' : ''
  return forbidden(place, `${place} is not among what this command may reach: ${list}.${ports}`)
}

/** Entries of a list in a message. */
const maxShown = 20

export function notReachable(target: Target, address: string): Refusal {
  const place = placeOf(target.host, target.port)
  const why = 'which is private, or of this machine: it can be reached only if it is listed itself'
  return forbidden(place, `${target.host} leads to ${address}, ${why}.`)
}

function forbidden(place: string, text: string): Refusal {
  return { status: 403, phrase: `Forbidden: ${place} is not allowed`, text }
}

export function tooMany(most: number): Refusal {
  const text = `This command has ${most} connections already, which is the most.`
  return { status: 503, phrase: 'Too Many Connections', text, last: true }
}

/** @param status 502, or 504 when it took too long */
export function failed(status: 502 | 504, target: Target, reason: string): Refusal {
  const place = placeOf(target.host, target.port)
  const phrase = status === 502 ? 'Bad Gateway' : 'Gateway Timeout'
  return { status, phrase, text: `${place} cannot be reached: ${reason}.` }
}

/** In answer to a request that is not a CONNECT. */
export function respond(response: ServerResponse, refusal: Refusal): void {
  const { status, phrase, last } = refusal
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  response.writeHead(status, phrase, [...headersOf(refusal), ...(last ? ['Connection', 'close'] : [])])
  response.end(bodyOf(refusal))
  response.req.resume()
}

/**
 * On a connection without a parser; it ends.
 *
 * @param lingerMs milliseconds for the client to read it
 */
export function respondAndEnd(socket: Socket, refusal: Refusal, lingerMs: number): void {
  const headers = [...headersOf(refusal), 'Connection', 'close']
  const lines = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]}`] : []))
  const head = [`HTTP/1.1 ${refusal.status} ${refusal.phrase}`, ...lines, '', ''].join('\r\n')
  socket.end(head + bodyOf(refusal))
  // What the client is still sending would be answered with a reset, which may overtake the response.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

function headersOf(refusal: Refusal): string[] {
  const length = String(Buffer.byteLength(bodyOf(refusal)))
  const headers = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', length]
  if (refusal.status === 407) headers.push('Proxy-Authenticate', 'Basic realm="bashward"')
  return headers
}

const bodyOf = ({ text }: Refusal): string => `bashward: ${text}\n`
