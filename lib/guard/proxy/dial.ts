// A connection to one of several addresses: as in RFC 8305 the next one is tried when the one before has not answered soon.

import { connect, type Socket } from 'node:net'
import { timeLimit } from '../../base/util/time-limit.js'

/** How long an address may keep the next one waiting, milliseconds. */
const headStartMs = 300

export interface DialOptions {
  port: number
  /** Milliseconds for all of them. */
  timeoutMs: number
  signal: AbortSignal
  /** Each socket, as soon as it is made; one that is not wanted is not connected. */
  adopt: (socket: Socket) => boolean
}

/**
 * @param addresses one at least
 * @returns a connected socket, paused, which stays open when its other side has ended
 * @throws {NodeJS.ErrnoException} of the last address; with code ETIMEDOUT when none has answered in time, ABORT_ERR when
 *   it was aborted, TOO_MANY when no socket was wanted
 */
export function dial(addresses: readonly string[], options: DialOptions): Promise<Socket> {
  const { port, timeoutMs, signal, adopt } = options
  return new Promise((resolve, reject) => {
    const waiting = [...addresses]
    const trying = new Set<Socket>()
    let next: NodeJS.Timeout | undefined

    const settle = (outcome: () => void, winner?: Socket): void => {
      clearTimeout(next)
      endLimit()
      signal.removeEventListener('abort', abort)
      waiting.length = 0
      for (const socket of trying) if (socket !== winner) socket.destroy()
      trying.clear()
      outcome()
    }
    const fail = (code: string): void => settle(() => reject(Object.assign(new Error(code), { code })))
    const abort = (): void => fail('ABORT_ERR')
    const endLimit = timeLimit(timeoutMs, () => fail('ETIMEDOUT'))

    const tryNext = (): void => {
      clearTimeout(next)
      const address = waiting.shift()
      if (address === undefined) return
      const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true, keepAlive: true })
      // Stays for good: an error without a listener would end the proxy.
      socket.on('error', (error) => {
        if (!trying.delete(socket)) return
        if (waiting.length > 0) tryNext()
        else if (trying.size === 0) settle(() => reject(error))
      })
      if (!adopt(socket)) {
        socket.destroy()
        fail('TOO_MANY')
        return
      }
      trying.add(socket)
      socket.once('connect', () => {
        if (trying.has(socket)) settle(() => resolve(socket), socket)
      })
      // By the client, when its command ends.
      socket.once('close', () => {
        if (trying.delete(socket) && trying.size === 0 && waiting.length === 0) fail('ECONNRESET')
      })
      if (waiting.length > 0) next = setTimeout(tryNext, headStartMs)
    }

    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else tryNext()
  })
}
