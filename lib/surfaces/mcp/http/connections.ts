// The connections: how many there may be of those that nobody has shown a token on, and one request at a time on each.

import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from './limits.js'

type Limits = Pick<HttpLimits, 'connections' | 'strangers' | 'strangerMs'>

/** The share of the places that is kept free for those that come. */
const spareShare = 1 / 64

export class Connections {
  readonly #limits: Limits
  /** The oldest first, and whether a look has found it a stranger before. */
  readonly #strangers = new Map<Socket, boolean>()
  readonly #open = new Set<Socket>()
  readonly #current = new WeakMap<Socket, ServerResponse>()
  readonly #refused = new WeakSet<Socket>()
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server, limits: Limits) {
    this.#limits = limits
    server.on('connection', (socket) => this.#opened(socket))
  }

  #opened(socket: Socket): void {
    this.#open.add(socket)
    this.#strangers.set(socket, false)
    socket.on('close', () => {
      this.#open.delete(socket)
      this.#strangers.delete(socket)
    })
    // The oldest, and not the one that comes: others on this machine could keep everybody out for nothing.
    const [oldest] = this.#strangers.keys()
    if (this.#open.size > Math.ceil(this.#limits.connections * (1 - spareShare)) && oldest !== undefined)
      this.#close(oldest)
    if (this.#strangers.size > this.#limits.strangers) this.#lookLater()
  }

  /** Many clients may come at the same moment: between two looks, each that has sent something is heard. */
  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const [socket, isOld] of this.#strangers) {
        if (this.#strangers.size <= this.#limits.strangers) return
        if (isOld) this.#close(socket)
        else this.#strangers.set(socket, true)
      }
      this.#lookLater()
    }, this.#limits.strangerMs).unref()
  }

  #close(stranger: Socket): void {
    this.#strangers.delete(stranger)
    this.#open.delete(stranger)
    stranger.destroy()
  }

  /** @returns whether a request may be served; its connection is closed if not: nobody waits for the one before */
  begin(socket: Socket, response: ServerResponse): boolean {
    const isFree = this.isFree(socket)
    this.#current.set(socket, response)
    // What came in the same packet is still parsed.
    if (socket.destroyed || this.#refused.has(socket)) return false
    if (!isFree) socket.destroy()
    return isFree
  }

  /** Whether no response is being made or sent on it. */
  isFree(socket: Socket): boolean {
    return this.#current.get(socket)?.writableEnded !== false
  }

  /** A request on it has had a token. */
  known(socket: Socket): void {
    this.#strangers.delete(socket)
  }

  /** It ends with the response that is being sent. */
  refused(socket: Socket): void {
    this.#refused.add(socket)
  }

  closeAll(): void {
    clearTimeout(this.#timer)
    for (const socket of this.#open) socket.destroy()
  }
}
