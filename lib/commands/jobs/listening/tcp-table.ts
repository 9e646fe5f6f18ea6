// The listening sockets in /proc/net/tcp and tcp6 (proc_net(5)), which show a network namespace.

import { closeSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'

export interface TableEntry {
  address: string
  port: number
  /** The number of the socket, as in `socket:[4711]`. */
  inode: string
}

/** A machine may have a million connections; the kernel lists what listens before them. */
const maxTableBytes = 4 * 1024 * 1024
const chunkBytes = 64 * 1024
const listening = '0A'

/**
 * What listens on TCP where a process is.
 *
 * @returns undefined when that cannot be read: the process has ended, or its /proc is out of reach
 */
export function listenersAround(pid: number): TableEntry[] | undefined {
  const four = readTable(`/proc/${pid}/net/tcp`)
  // A kernel without IPv6 has no such file.
  return four && [...four, ...(readTable(`/proc/${pid}/net/tcp6`) ?? [])]
}

function readTable(path: string): TableEntry[] | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const table = new Table()
    for (let total = 0; total < maxTableBytes; ) {
      const count = readSync(descriptor, buffer)
      if (count === 0 || !table.add(buffer.toString('latin1', 0, count))) break
      total += count
    }
    return table.entries
  } catch {
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

/** A table that comes in pieces. */
export class Table {
  readonly entries: TableEntry[] = []
  #rest = ''

  /** @returns whether more of what listens may follow */
  add(piece: string): boolean {
    const lines = `${this.#rest}${piece}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.every((line) => this.#addLine(line))
  }

  #addLine(line: string): boolean {
    const [slot, local = '', , state, , , , , , inode = ''] = line.trimStart().split(/ +/, 10)
    if (slot === 'sl') return true
    if (state !== listening) return false
    const [address = '', port = ''] = local.split(':')
    // 0: the socket is about to be closed, or has not been accepted.
    if (inode !== '0')
      this.entries.push({ address: readAddress(address), port: Number.parseInt(port, 16), inode })
    return true
  }
}

/** The kernel prints an address as numbers of 32 bits, each in the order of bytes of this machine. */
const isLittle = endianness() === 'LE'

/** `0100007F` is 127.0.0.1. An IPv4 address in IPv6 is given as that address: by no other way it is reached. */
export function readAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? []
  const bytes = words.flatMap((word) => {
    const bytesOfWord = [...Buffer.from(word, 'hex')]
    return isLittle ? bytesOfWord.reverse() : bytesOfWord
  })
  if (bytes.length === 4) return bytes.join('.')
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (isMapped) return bytes.slice(12).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => {
    return (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16)
  })
  // As RFC 5952 wants it.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
