// Connections of nobody in particular: every process of the machine can make one, and too many must not keep out those
// who have a token.

import type { Socket } from 'node:net'

const maxStrangers = 256

export interface Strangers {
  add(socket: Socket): void
  /** Somebody has said who they are. */
  delete(socket: Socket): void
}

/** Keeps the newest: who has something to say sends it at once. */
export function limitStrangers(): Strangers {
  const sockets = new Set<Socket>()
  return {
    add(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (sockets.size <= maxStrangers) return
      const [oldest] = sockets
      oldest?.destroy()
      if (oldest !== undefined) sockets.delete(oldest)
    },
    delete: (socket) => sockets.delete(socket),
  }
}
