// What a socket is, by its inode: from the tables of its network namespace.

import { isIPv6 } from 'node:net'
import type { Proc } from './proc.js'

export interface Socket {
  kind: 'connected' | 'connecting' | 'listening' | 'datagram' | 'unix' | 'other'
  /** Of its peer, or where it listens: an address with a port, or a path. Empty where there is none. */
  place: string
  /** Attempts to send that nobody has answered. */
  retries: number
  /** Bytes that the peer has not taken. */
  unsent: number
}

/** Of one table: some thousand sockets. What comes later is not known. */
const maxTableBytes = 1024 * 1024

const established = 1
const connecting = 2
const closeWait = 8
const listening = 10

/** The tables of each network namespace are read once. */
export class Sockets {
  readonly #proc: Proc
  readonly #tables = new Map<string, Map<number, Socket>>()

  constructor(proc: Proc) {
    this.#proc = proc
  }

  find(pid: number, inode: number): Socket | undefined {
    const space = this.#proc.link(`${pid}/ns/net`) ?? String(pid)
    const table = this.#tables.get(space) ?? this.#read(pid)
    this.#tables.set(space, table)
    return table.get(inode)
  }

  #read(pid: number): Map<number, Socket> {
    const table = new Map<number, Socket>()
    const lines = (name: string) =>
      (this.#proc.text(`${pid}/net/${name}`, maxTableBytes) ?? '').split('\n').slice(1)
    for (const name of ['tcp', 'tcp6', 'udp', 'udp6']) {
      for (const line of lines(name)) add(table, parseInternet(line, name.startsWith('udp')))
    }
    for (const line of lines('unix')) add(table, parseUnix(line))
    return table
  }
}

type Entry = [inode: number, socket: Socket]

function add(table: Map<number, Socket>, entry: Entry | undefined): void {
  // A socket that nobody holds any more has inode 0.
  if (entry !== undefined && entry[0] > 0) table.set(...entry)
}

/** A line of /proc/net/tcp and its like (proc(5)). */
export function parseInternet(line: string, isDatagram: boolean): Entry | undefined {
  const [, local = '', remote = '', state = '', queues = '', , retries = '', , , inode = ''] = line
    .trim()
    .split(/ +/)
  if (!/^\d+$/.test(inode)) return undefined
  const common = { retries: Number.parseInt(retries, 16) || 0, unsent: Number.parseInt(queues, 16) || 0 }
  const peer = address(remote)
  const code = Number.parseInt(state, 16)
  if (isDatagram)
    return [Number(inode), { ...common, kind: 'datagram', place: peer.endsWith(':0') ? '' : peer }]
  if (code === listening) return [Number(inode), { ...common, kind: 'listening', place: address(local) }]
  const isUp = code === established || code === closeWait
  const kind = code === connecting ? 'connecting' : isUp ? 'connected' : 'other'
  return [Number(inode), { ...common, kind, place: peer }]
}

const listens = 0x10000

/** A line of /proc/net/unix. */
export function parseUnix(line: string): Entry | undefined {
  const [, flags, inode, path = ''] =
    /^[\da-f]+: [\da-f]+ [\da-f]+ ([\da-f]+) \d+ \d+ +(\d+)(?: (.*))?$/i.exec(line) ?? []
  if (flags === undefined) return undefined
  const kind = (Number.parseInt(flags, 16) & listens) === 0 ? 'unix' : 'listening'
  return [Number(inode), { kind, place: path, retries: 0, unsent: 0 }]
}

/** The kernel prints words of an address as numbers of this machine. */
export function address(text: string): string {
  const [words = '', port = ''] = text.split(':')
  const bytes = Buffer.from(words, 'hex')
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.subarray(at, at + 4).reverse()
  const number = Number.parseInt(port, 16)
  if (bytes.length === 4) return `${bytes.join('.')}:${number}`
  const groups = Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16))
  const full = groups.join(':')
  if (!isIPv6(full)) return text
  const mapped = bytes.subarray(0, 12).equals(mappedPrefix)
  return mapped
    ? `${bytes.subarray(12).join('.')}:${number}`
    : `${new URL(`http://[${full}]`).hostname}:${number}`
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex')
