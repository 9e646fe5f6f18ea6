// A socket that a job listens on, and how it is told.

/** A TCP socket that a process of a job listens on. */
export interface ListeningSocket {
  /** Such as `'127.0.0.1'` or `'::1'`; `'0.0.0.0'` and `'::'`: every address of the machine. */
  address: string
  port: number
  /** The process that has it open; of several the first. */
  pid: number
  /** It is in another network namespace than this process, and cannot be reached from here. */
  otherNetwork?: boolean
}

const maxNamed = 8

/** `[listening: 127.0.0.1:5173, [::1]:5173]`; empty when nothing does. */
export function listeningText(sockets: readonly ListeningSocket[] = []): string {
  if (sockets.length === 0) return ''
  const names = sockets.slice(0, maxNamed).map(socketName)
  const more = sockets.length > maxNamed ? `, and ${sockets.length - maxNamed} more` : ''
  return `[listening: ${names.join(', ')}${more}]`
}

/** As in a URL. */
export function socketName({ address, port, otherNetwork }: ListeningSocket): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${host}:${port}${otherNetwork === true ? ' (in another network namespace)' : ''}`
}
