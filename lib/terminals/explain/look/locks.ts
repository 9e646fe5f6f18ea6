// Locks on files (/proc/locks): who waits for which, and who holds it.

import type { Proc } from './proc.js'

export interface Lock {
  /** 0: the kernel does not say whose it is. */
  holder: number
  /** `MAJOR:MINOR:INODE`, the first two in hexadecimal digits. */
  file: string
}

const maxBytes = 256 * 1024

export class Locks {
  readonly #held: Lock[] = []
  /** By the process that waits. */
  readonly #wanted = new Map<number, Lock>()

  constructor(proc: Proc) {
    const heads = new Map<string, Lock>()
    for (const line of (proc.text('locks', maxBytes) ?? '').split('\n')) {
      const parsed = parseLock(line)
      if (parsed === undefined) continue
      const { id, waits, pid, file } = parsed
      if (!waits) {
        const lock = { holder: Math.max(0, pid), file }
        heads.set(id, lock)
        this.#held.push(lock)
      } else {
        const head = heads.get(id)
        if (head !== undefined) this.#wanted.set(pid, head)
      }
    }
  }

  /** What a process waits for. */
  wantedBy(pid: number): Lock | undefined {
    return this.#wanted.get(pid)
  }

  /** Held by another process. */
  heldByOthers(pid: number): Lock[] {
    return this.#held.filter(({ holder }) => holder > 0 && holder !== pid)
  }
}

/** `1: -> FLOCK  ADVISORY  WRITE 4711 fe:00:2853411 0 EOF`: an arrow for each lock that it waits behind. */
export function parseLock(
  line: string,
): { id: string; waits: boolean; pid: number; file: string } | undefined {
  const pattern = /^(\d+):((?: ->)*) +\w+ +[\w*]+ +\w+ +(-?\d+) +([\da-f]+:[\da-f]+:\d+) /
  const [, id, arrows, pid, file] = pattern.exec(line) ?? []
  if (id === undefined || file === undefined) return undefined
  return { id, waits: arrows !== '', pid: Number(pid), file }
}

/** The file that a descriptor stands for, in the words of {@link Lock}; undefined before Linux 5.14. */
export function fileOf(proc: Proc, pid: number, descriptor: number): string | undefined {
  const info = proc.text(`${pid}/fdinfo/${descriptor}`, 1024) ?? ''
  const [, mount] = /^mnt_id:\t(\d+)$/m.exec(info) ?? []
  const [, inode] = /^ino:\t(\d+)$/m.exec(info) ?? []
  if (mount === undefined || inode === undefined) return undefined
  const mounts = proc.text(`${pid}/mountinfo`, maxBytes) ?? ''
  const [, major, minor] = new RegExp(`^${mount} \\d+ (\\d+):(\\d+) `, 'm').exec(mounts) ?? []
  if (major === undefined) return undefined
  const hex = (number: string | undefined) => Number(number).toString(16).padStart(2, '0')
  return `${hex(major)}:${hex(minor)}:${inode}`
}
