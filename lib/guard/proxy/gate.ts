// Who asks, for what, whether that is listed, and where it leads: asked for each request, also of one connection.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { timeLimit } from '../../base/util/time-limit.js'
import { type Client, type Clients, maxConnections } from './client.js'
import { dial } from './dial.js'
import { admits, type Target } from './domains.js'
import { reasonOf } from './forward.js'
import { type Framing, framingOf, maxHeaders, valuesOf } from './headers.js'
import type { Refusal } from './refusal.js'
import * as refusal from './refusal.js'
import { type Lookup, type Resolution, resolve } from './resolve.js'
import { parseAbsolute, parseAuthority } from './target.js'

export interface Gate {
  clients: Clients
  lookup: Lookup
  /** Milliseconds for the resolver. */
  lookupMs: number
  /** Milliseconds for all addresses of a server. */
  connectMs: number
}

/** A connection has one client from its first request on. */
const owners = new WeakMap<Socket, Client>()

export function isRefusal(value: object): value is Refusal {
  return 'phrase' in value
}

/** Whose request it is. */
export function identify(request: IncomingMessage, { clients }: Gate): Client | Refusal {
  const { socket, rawHeaders } = request
  const client = clients.find(valuesOf(rawHeaders, 'proxy-authorization'))
  const owner = owners.get(socket) ?? client
  if (client === undefined || owner !== client) return refusal.unauthorized()
  if (!client.adopt(socket)) return refusal.tooMany(maxConnections)
  owners.set(socket, client)
  return client
}

export interface Asked {
  target: Target
  path: string
  framing: Framing
}

/** What a request asks for. */
export function read({ url = '', method, rawHeaders }: IncomingMessage): Asked | Refusal {
  if (rawHeaders.length > 2 * maxHeaders) {
    return refusal.malformed(`A request may have ${maxHeaders} headers at most.`)
  }
  // llhttp before version 9 takes an empty name.
  if (!rawHeaders.every((name, i) => i % 2 === 1 || headerName.test(name))) {
    return refusal.malformed('A header has no name.')
  }
  const framing = framingOf(rawHeaders)
  if (framing === 'ambiguous') return refusal.malformed('It is not clear where the request ends.')
  if (method !== 'CONNECT') {
    const absolute = parseAbsolute(url)
    return absolute === undefined ? refusal.malformed(notAbsolute) : { ...absolute, framing }
  }
  const target = parseAuthority(url)
  if (target === undefined) return refusal.malformed('CONNECT takes a name, or an address, and a port.')
  // Some take it for a part of the request, others for what goes through the tunnel.
  if (framing !== undefined) return refusal.malformed('CONNECT has no body.')
  return { target, path: '', framing }
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const notAbsolute = 'A proxy takes CONNECT, or an absolute URL: http://, a name or an address, a path.'

/**
 * Connects to the server that a client asks for, if it may.
 *
 * @param gone aborted when nobody waits for it any more
 */
export async function open(
  client: Client,
  target: Target,
  gate: Gate,
  gone: AbortSignal,
): Promise<Socket | Refusal> {
  if (!client.domains.some((domain) => admits(domain, target))) {
    await client.deny(refusal.placeOf(target.host, target.port))
    return refusal.notListed(target, client.domains)
  }
  try {
    const found = await lookUp(client, target, gate, gone)
    if ('refused' in found) {
      // The name is listed; what is refused, and could be listed, is the address.
      await client.deny(refusal.placeOf(found.refused, target.port))
      return refusal.notReachable(target, found.refused)
    }
    const adopt = (socket: Socket): boolean => client.adopt(socket)
    const { port } = target
    return await dial(found.addresses, { port, timeoutMs: gate.connectMs, signal: gone, adopt })
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    if (failure.code === 'TOO_MANY') return refusal.tooMany(maxConnections)
    return refusal.failed(failure.code === 'ETIMEDOUT' ? 504 : 502, target, reasonOf(failure))
  }
}

async function lookUp(client: Client, target: Target, gate: Gate, gone: AbortSignal): Promise<Resolution> {
  const needless = new AbortController()
  const leave = (): void => needless.abort()
  let endLimit = () => {}
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('its name cannot be looked up in time'), { code: 'ETIMEDOUT' })
    endLimit = timeLimit(gate.lookupMs, () => reject(error))
  })
  gone.addEventListener('abort', leave)
  if (gone.aborted) leave()
  const lookup: Lookup = (name) => client.lookups(() => gate.lookup(name), needless.signal)
  try {
    return await Promise.race([resolve(target, client.domains, lookup), late])
  } finally {
    endLimit()
    gone.removeEventListener('abort', leave)
    // One that has not begun would be made for nobody.
    leave()
  }
}
