// Reading /proc, with a bound for everything: no file of it is trusted to be small, and no read to be quick.
//
// Only what the kernel makes up itself is read. Descriptors of others are never opened or asked for their status: one of a
// file system that does not answer would hold this process.

import { closeSync, constants, opendirSync, openSync, readlinkSync, readSync } from 'node:fs'

/** There was more to read than is allowed, or no time for it. */
export class OverBudget extends Error {}

export interface ProcOptions {
  root?: string
  /** As `performance.now()` counts. */
  deadline?: number
  /** System calls or so. */
  reads?: number
  /** Whether memory and system calls of others are out of reach. */
  untraced?: boolean
}

export class Proc {
  readonly #root: string
  readonly #deadline: number
  readonly #untraced: boolean
  #left: number

  constructor({ root = '/proc', deadline = Infinity, reads = 30_000, untraced = false }: ProcOptions = {}) {
    this.#root = root
    this.#deadline = deadline
    this.#left = reads
    this.#untraced = untraced
  }

  /** @returns undefined when it cannot be read: the process has ended, or is another user's */
  text(path: string, maxBytes = 4096): string | undefined {
    this.#spend()
    let file: number | undefined
    try {
      file = openSync(`${this.#root}/${path}`, constants.O_RDONLY | constants.O_NONBLOCK)
      const buffer = Buffer.allocUnsafe(maxBytes)
      let length = 0
      while (length < maxBytes) {
        const count = readSync(file, buffer, length, maxBytes - length, null)
        if (count === 0) break
        length += count
        this.#spend()
      }
      return buffer.toString('latin1', 0, length)
    } catch (error) {
      if (error instanceof OverBudget) throw error
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  /** What a link says, never what it leads to. */
  link(path: string): string | undefined {
    this.#spend()
    try {
      return readlinkSync(`${this.#root}/${path}`, 'latin1')
    } catch {
      return undefined
    }
  }

  /** Numbers among the names in a directory: of processes, threads, descriptors. */
  numbers(path: string, max: number): number[] {
    this.#spend()
    const found: number[] = []
    try {
      const directory = opendirSync(`${this.#root}/${path}`)
      try {
        for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
          if (found.length >= max) break
          if (/^\d{1,10}$/.test(entry.name)) found.push(Number(entry.name))
        }
      } finally {
        directory.closeSync()
      }
    } catch {
      // It has ended.
    }
    return found
  }

  /** The memory of a process, or the beginning of what was asked for; undefined where it cannot be read. */
  memory(pid: number, address: number, length: number): Buffer | undefined {
    this.#spend()
    if (this.#untraced || !(address > 0) || !Number.isSafeInteger(address)) return undefined
    let file: number | undefined
    try {
      file = openSync(`${this.#root}/${pid}/mem`, 'r')
      const buffer = Buffer.alloc(length)
      const count = readSync(file, buffer, 0, length, address)
      return buffer.subarray(0, count)
    } catch {
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  /** The line of /proc/PID/task/TID/syscall; undefined where nobody may trace. */
  systemCall(pid: number, tid: number): string | undefined {
    return this.#untraced ? undefined : this.text(`${pid}/task/${tid}/syscall`, 256)
  }

  #spend(): void {
    this.#left -= 1
    if (this.#left < 0 || (this.#left % 16 === 0 && performance.now() > this.#deadline))
      throw new OverBudget()
  }
}
