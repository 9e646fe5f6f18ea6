// What local_file and local_dir of a manifest name: files of the host's own, which the host reads for itself. A command may have
// been there all the same: no link is followed, nothing is waited for, and nothing has to fit into memory.

import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { isWithin } from '../../../base/util/absolute-paths.js'
import { part } from '../../../base/util/load-part.js'
import type * as LedDirectory from '../../../guard/sandbox/led-directory.js'

const directories = part((): typeof LedDirectory => require('../../../guard/sandbox/led-directory.js'))

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
/** Node has no name for it: open(2), the value of asm-generic/fcntl.h. */
const O_PATH = 0o10000000

/** Each file takes a command to write it, and room among the temporary files meanwhile. */
const mostDepth = 64
const mostEntries = 10_000
const mostFileBytes = 256 * 1024 ** 2
const mostBytes = 1024 ** 3

export interface SourceEntry {
  /** Relative to the directory that the source is. */
  path: string
  type: 'file' | 'directory' | 'link' | 'other'
}

/** Why something is not read. */
export class SourceRefusal extends Error {}

/** A file or a directory that is open. */
export class Source {
  /** How messages name it. */
  readonly #name: string
  readonly #file: FileHandle
  /** Bytes of files that may still be read. */
  readonly #budget: { bytes: number }

  private constructor(name: string, file: FileHandle, budget = { bytes: mostBytes }) {
    this.#name = name
    this.#file = file
    this.#budget = budget
  }

  /**
   * @param grants directories besides that of this process
   * @returns undefined for what is in none of them
   * @throws {SourceRefusal} for a symbolic link, the last name or one before it. @throws the system's error
   */
  static async open(src: string, grants: readonly string[]): Promise<Source | undefined> {
    const path = resolve(src)
    for (const base of [process.cwd(), ...grants.map((grant) => resolve(grant))]) {
      const { real, refusal } = directories().ledDirectory(base)
      const name = [base, real].find((each) => isWithin(path, each))
      if (name === undefined) continue
      if (refusal !== undefined) throw new SourceRefusal(`${src} is not read: ${refusal}`)
      const root = await open('/', O_PATH | O_DIRECTORY)
      try {
        return new Source(src, await openBelow(root, '/', join(real, relative(name, path))))
      } finally {
        await root.close()
      }
    }
    return undefined
  }

  async kind(): Promise<{ isFile: boolean; isDirectory: boolean; mode: number }> {
    const found = await this.#file.stat()
    return { isFile: found.isFile(), isDirectory: found.isDirectory(), mode: found.mode & 0o777 }
  }

  /** What is in a directory, and in those below it: a directory comes before what is in it. @throws {SourceRefusal} */
  async *entries(): AsyncGenerator<SourceEntry> {
    let entries = 0
    const directories = [{ path: '', depth: 0 }]
    for (let next = directories.pop(); next !== undefined; next = directories.pop()) {
      const { path, depth } = next
      if (depth > mostDepth) throw this.#tooMuch(`directories more than ${mostDepth} deep`)
      const found: SourceEntry[] = []
      const directory = await this.entry(path)
      try {
        for await (const entry of await opendir(inside(directory.#file))) {
          if (++entries > mostEntries) throw this.#tooMuch(`more than ${mostEntries} files and directories`)
          const kind = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other'
          found.push({ path: join(path, entry.name), type: entry.isFile() ? 'file' : kind })
        }
      } finally {
        await directory.close()
      }
      yield* found
      const below = found.filter(({ type }) => type === 'directory')
      directories.push(...below.map((entry) => ({ path: entry.path, depth: depth + 1 })))
    }
  }

  /** One of {@link entries}. @throws {SourceRefusal} for what has become a symbolic link */
  async entry(path: string): Promise<Source> {
    const name = join(this.#name, path)
    return new Source(name, await openBelow(this.#file, this.#name, path), this.#budget)
  }

  /** @throws {SourceRefusal} when there is too much of it */
  async *content(): AsyncGenerator<Uint8Array> {
    const { size } = await this.#file.stat()
    let bytes = 0
    const check = (length: number) => {
      if (length > mostFileBytes) throw this.#tooMuch(`more than ${mostFileBytes} bytes`)
      if (length - bytes > this.#budget.bytes)
        throw this.#tooMuch(`bytes beyond the ${mostBytes} that a directory may have`)
    }
    check(size)
    for await (const piece of this.#file.createReadStream({ autoClose: false })) {
      check(bytes + piece.length)
      bytes += piece.length
      this.#budget.bytes -= piece.length
      yield piece
    }
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  #tooMuch(what: string): SourceRefusal {
    const hint = 'list the directory in extraPathGrants instead'
    return new SourceRefusal(`${this.#name} has ${what}: ${hint}`)
  }
}

const inside = (directory: FileHandle) => `/proc/self/fd/${directory.fd}`

/**
 * One name after the other, each in the directory before it: what a command puts on the way meanwhile leads nobody elsewhere.
 *
 * @param at how messages name the directory
 */
async function openBelow(directory: FileHandle, at: string, path: string): Promise<FileHandle> {
  const names = path.split('/').filter((name) => name !== '')
  const last = names.pop() ?? '.'
  let from = directory
  let name = at
  try {
    for (const each of names) {
      name = join(name, each)
      const next = await openIn(from, each, name, O_PATH | O_DIRECTORY)
      if (from !== directory) await from.close()
      from = next
    }
    return await openIn(from, last, join(name, last), O_RDONLY | O_NONBLOCK)
  } finally {
    if (from !== directory) await from.close()
  }
}

async function openIn(directory: FileHandle, name: string, at: string, flags: number): Promise<FileHandle> {
  const path = `${inside(directory)}/${name}`
  try {
    return await open(path, flags | O_NOFOLLOW)
  } catch (error) {
    const found = await lstat(path).catch(() => undefined)
    if (found?.isSymbolicLink()) throw new SourceRefusal(`${at} is a symbolic link`)
    const { message } = error as Error
    throw Object.assign(error as Error, { path: at, message: message.replace(path, at) })
  }
}
