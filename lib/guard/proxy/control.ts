// The second port of the proxy: supervisors tell it which command may reach what, and learn from it what it refused.

import { createServer, type Server, type Socket } from 'node:net'
import type { Clients } from './client.js'
import { maxGrantLength, parseGrant } from './grant.js'
import { limitStrangers } from './strangers.js'

export interface ControlOptions {
  secret: string
  clients: Clients
  /** Milliseconds that somebody may take to say who they are. */
  grantMs: number
  /** Called when a command has ended. */
  onEnd: () => void
}

/** Whoever does not know the secret gets no answer. */
export function controlServer(options: ControlOptions): Server {
  const strangers = limitStrangers()
  return createServer({ noDelay: true }, (socket) => {
    strangers.add(socket)
    serve(socket, options, () => strangers.delete(socket))
  })
}

function serve(
  socket: Socket,
  { secret, clients, grantMs, onEnd }: ControlOptions,
  onKnown: () => void,
): void {
  let text = ''
  let isKnown = false
  const timer = setTimeout(() => socket.destroy(), grantMs)
  socket.setEncoding('latin1')
  // 'close' follows.
  socket.on('error', () => {})
  socket.once('close', () => clearTimeout(timer))
  socket.on('data', (piece: string) => {
    text += piece
    const end = text.indexOf('\n')
    // One line is all that a supervisor has to say.
    if (isKnown || text.length > maxGrantLength || (end >= 0 && end < text.length - 1)) {
      socket.destroy()
      return
    }
    if (end < 0) return
    clearTimeout(timer)
    const grant = parseGrant(text.slice(0, -1), secret)
    const client = grant && clients.add(grant, socket)
    if (client === undefined) {
      socket.destroy()
      return
    }
    isKnown = true
    text = ''
    onKnown()
    const remove = (): void => {
      if (clients.remove(client)) onEnd()
    }
    // The one comes before the other, or not at all.
    socket.once('end', remove).once('close', remove)
    socket.write('OK\n')
  })
}
