// What a wait is called.

import type { Piece } from '../finding.js'
import type { WaitingKind } from '../waiting-for.js'
import type { Socket } from './sockets.js'

/** What a thread waits for. */
export interface Wait {
  kind: WaitingKind
  text: Piece[]
  /** How much it explains: what waits for another process of its command explains nothing. */
  rank: number
  /** `word` goes before its name; default a colon. */
  peer?: { pid: number; isOwn: boolean; word?: string }
}

export const ranks = {
  another: 1,
  few: 3,
  sleep: 5,
  hidden: 5,
  server: 6,
  disk: 7,
  outside: 8,
  lock: 9,
} as const

export const hidden = 'not known: it runs as another user, or lets nobody look'

/** `0.4`, `12`: seconds. */
export function seconds(milliseconds: number): string {
  const rounded = Math.max(0, milliseconds) / 1000
  return rounded < 9.95 ? String(Math.round(rounded * 10) / 10) : String(Math.round(rounded))
}

export const moreSeconds = (milliseconds: number): string => {
  const number = seconds(milliseconds)
  return `${number} more second${number === '1' ? '' : 's'}`
}

/** @param forMs how long it has, when that is known */
export function socketWait(socket: Socket | undefined, isSending: boolean, forMs?: number): Wait {
  const rank = ranks.outside
  if (socket === undefined) return { kind: 'network', text: ['waiting on a socket'], rank: ranks.server }
  const { kind, place, retries, unsent } = socket
  // Names of Unix sockets are the command's choice.
  const where: Piece[] = kind === 'unix' || place.startsWith('/') ? [{ path: place }] : [place]
  switch (kind) {
    case 'listening':
      return { kind: 'server', text: ['waiting for clients on ', ...where], rank: ranks.server }
    case 'connecting': {
      const since = forMs === undefined ? 'connecting' : `connecting for ${seconds(forMs)} s`
      const attempts = retries === 0 ? 'no answer yet' : `no answer to ${retries + 1} attempts`
      return { kind: 'network', text: [`waiting for ${place} (${since}, ${attempts})`], rank }
    }
    case 'unix': {
      const named: Piece[] = place === '' ? [] : [' ', { path: place }]
      const text = isSending
        ? 'waiting for its peer to read from a Unix socket'
        : 'waiting for its peer on a Unix socket'
      return { kind: 'network', text: [text, ...named], rank: ranks.server }
    }
    case 'datagram': {
      if (place === '') return { kind: 'network', text: ['waiting for a datagram'], rank: ranks.server }
      const answer = place.endsWith(':53') ? 'a DNS answer' : 'an answer'
      return { kind: 'network', text: [`waiting for ${answer} from ${place}`], rank }
    }
    case 'connected': {
      const text = isSending ? `waiting for ${place} to take what it sends` : `waiting for data from ${place}`
      const silent = unsent > 0 && retries > 0 ? ` (no answer to ${retries + 1} attempts to send)` : ''
      return { kind: 'network', text: [text + silent], rank }
    }
    default:
      return {
        kind: 'network',
        text: [place === '' ? 'waiting on a socket' : `waiting for ${place}`],
        rank: ranks.server,
      }
  }
}

/** @param isRelative it began with the call; else its end is known */
export function sleepText(totalMs: number, offMs: number | undefined, isShort: boolean): string {
  if (isShort) return `asleep ${seconds(totalMs)} s at a time`
  if (offMs !== undefined && offMs <= totalMs + 100) return `asleep for ${moreSeconds(totalMs - offMs)}`
  return `asleep for ${moreSeconds(totalMs)} at most`
}

/** What explains little. */
export const few = (kind: Wait['kind'], text: string): Wait => ({ kind, text: [text], rank: ranks.few })
