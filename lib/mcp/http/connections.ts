// The connections: how many there may be of those that nobody has shown a token on, and one request at a time on each.

import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export class Connections {
  readonly #maxStrangers: number
  /** The oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #open = new Set<Socket>()
  readonly #current = new WeakMap<Socket, ServerResponse>()
  readonly #refused = new WeakSet<Socket>()

  constructor(server: Server, maxStrangers: number) {
    this.#maxStrangers = maxStrangers
    server.on('connection', (socket) => this.#opened(socket))
  }

  #opened(socket: Socket): void {
    this.#open.add(socket)
    this.#strangers.add(socket)
    socket.on('close', () => {
      this.#open.delete(socket)
      this.#strangers.delete(socket)
    })
    // The oldest, and not this one: others on this machine could keep everybody out for nothing.
    const [oldest] = this.#strangers
    if (this.#strangers.size > this.#maxStrangers) oldest?.destroy()
  }

  /** @returns whether a request may be served; its connection is closed if not: nobody waits for the one before */
  begin(socket: Socket, response: ServerResponse): boolean {
    const current = this.#current.get(socket)
    this.#current.set(socket, response)
    // What came in the same packet is still parsed.
    if (socket.destroyed || this.#refused.has(socket)) return false
    if (current === undefined || current.writableEnded) return true
    socket.destroy()
    return false
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
    for (const socket of this.#open) socket.destroy()
  }
}
