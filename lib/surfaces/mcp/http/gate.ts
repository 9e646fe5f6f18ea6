// Who is let in. It comes before all else: before a body is read, and before anything of a request is believed.

import type { IncomingMessage } from 'node:http'
import { bearerDigest, nameOf, type Token } from './tokens.js'

/** The only path. */
export const endpoint = '/mcp'
const methods = ['GET', 'POST', 'DELETE']

export interface GateOptions {
  tokens: readonly Token[]
  /** As the header has them, in lower case. */
  hosts: ReadonlySet<string>
  origins: ReadonlySet<string>
}

/** Why a request is refused. Its connection ends with it. */
export interface Refusal {
  status: number
  /** For the client. */
  message: string
  headers?: Record<string, string>
  /** For the log: the hash of a token that is not known. */
  tokenName?: string
}

/** Headers that decide: of two of them nobody knows which one somebody else has looked at. */
const single = [
  ...['host', 'origin', 'authorization', 'content-length', 'content-type', 'transfer-encoding', 'expect'],
  ...['accept', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'],
]

export function admit(request: IncomingMessage, options: GateOptions): Token | Refusal {
  const { headers, headersDistinct, httpVersion, method = '', url } = request
  if (httpVersion !== '1.1') return { status: 505, message: 'HTTP/1.1 is needed' }
  const doubled = single.find((name) => (headersDistinct[name]?.length ?? 0) > 1)
  if (doubled !== undefined) return { status: 400, message: `there is more than one header ${doubled}` }
  if (!options.hosts.has((headers.host ?? '').toLowerCase())) {
    return { status: 403, message: 'this server does not go by that Host (--allow-host allows another)' }
  }
  // Browsers send one, also `null`: of a page that must not reach this server.
  if (headers.origin !== undefined && !options.origins.has(headers.origin)) {
    return { status: 403, message: 'this Origin is not allowed (--allow-origin allows one)' }
  }
  const token = tokenOf(headers.authorization, options.tokens)
  if (!isToken(token)) return token
  if (url !== endpoint) return { status: 404, message: `there is only ${endpoint}, without a query` }
  if (!methods.includes(method)) {
    return { status: 405, message: `${methods.join(', ')} only`, headers: { allow: methods.join(', ') } }
  }
  return token
}

function tokenOf(authorization: string | undefined, tokens: readonly Token[]): Token | Refusal {
  const refusal = {
    status: 401,
    message: 'a token is needed: Authorization: Bearer TOKEN',
    headers: { 'www-authenticate': 'Bearer' },
  }
  const digest = authorization === undefined ? undefined : bearerDigest(authorization)
  if (digest === undefined) return refusal
  let found: Token | undefined
  // All of them: how long it takes says nothing.
  for (const token of tokens) if (token.is(digest)) found = token
  return found ?? { ...refusal, message: 'this token is not known', tokenName: nameOf(digest) }
}

export function isToken(admitted: Token | Refusal): admitted is Token {
  return !('status' in admitted)
}
