// The commands that the proxy serves: each has a connection of its supervisor, and is served as long as that lasts.

import { createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { limitConcurrency } from './concurrency.js'
import { type Grant, isSame, proxyUser } from './grant.js'

/** Connections of one command: its own, and those to servers. */
export const maxConnections = 512

/** Names that are looked up at once. Each takes a thread, of which other commands need some, too. */
const maxLookups = 4

/** Characters that may wait for a supervisor that does not read; then refusals go unreported, and not unmade. */
const maxWaiting = 64 * 1024

/** Milliseconds that a report may take. */
const reportMs = 2_000

/** Characters of a place in a report. A name has at most 253. */
const maxPlace = 300

export class Client {
  readonly token: string
  readonly domains: Grant['domains']
  readonly lookups = limitConcurrency(maxLookups)
  readonly #control: Socket
  readonly #sockets = new Set<Socket>()
  #hasEnded = false

  constructor({ token, domains }: Grant, control: Socket) {
    this.token = token
    this.domains = domains
    this.#control = control
  }

  /** @returns whether there was room for it; else it is not the client's */
  adopt(socket: Socket): boolean {
    if (this.#sockets.has(socket)) return true
    if (this.#hasEnded || this.#sockets.size >= maxConnections) return false
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return true
  }

  /**
   * Reports a refusal. Resolves when the supervisor can read of it: then the command may learn of it, too. One that reads
   * nothing is not waited for.
   */
  async deny(place: string): Promise<void> {
    if (this.#control.destroyed || this.#control.writableLength > maxWaiting) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, reportMs)
      this.#control.write(`DENIED ${printable(place)}\n`, () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  end(): void {
    this.#hasEnded = true
    for (const socket of this.#sockets) socket.destroy()
  }
}

function printable(text: string): string {
  const escaped = (character: string): string =>
    `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  return text.slice(0, maxPlace).replace(/[^!-~]/g, escaped)
}

export class Clients {
  /** By a keyed hash of their tokens: how long a look-up takes says nothing about a token. */
  readonly #byHash = new Map<string, Client>()
  readonly #key = randomBytes(32)

  get size(): number {
    return this.#byHash.size
  }

  /** @returns undefined when the token is in use */
  add(grant: Grant, control: Socket): Client | undefined {
    const hash = this.#hash(grant.token)
    if (this.#byHash.has(hash)) return undefined
    const client = new Client(grant, control)
    this.#byHash.set(hash, client)
    return client
  }

  /** Ends the client. @returns whether it had not ended yet */
  remove(client: Client): boolean {
    const hash = this.#hash(client.token)
    // The token may have been granted anew meanwhile.
    if (this.#byHash.get(hash) !== client) return false
    this.#byHash.delete(hash)
    client.end()
    return true
  }

  /** @param authorization all values of Proxy-Authorization */
  find(authorization: readonly string[]): Client | undefined {
    if (authorization.length !== 1) return undefined
    const [, encoded = ''] = /^basic +([a-z0-9+/=]{1,256})$/i.exec(authorization[0] ?? '') ?? []
    const given = Buffer.from(encoded, 'base64').toString('latin1')
    const client = this.#byHash.get(this.#hash(given.slice(proxyUser.length + 1)))
    return client !== undefined && isSame(given, `${proxyUser}:${client.token}`) ? client : undefined
  }

  #hash(token: string): string {
    return createHmac('sha256', this.#key).update(token).digest('base64')
  }
}
