// What of this machine's files the methods of a framework's sandbox may open where its commands have a policy. The methods
// have the rights of this process, and a command can put a link in the place of a file at any moment: so what counts is
// what has been opened, and not by which name.

import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { ConfinementPlan } from '../engine/request.js'
import { isBelow, isWithin, realNameOf } from '../util/absolute-paths.js'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
/** Opens nothing: enough to look at it, whatever it is. Node has no name for it; the same on every architecture but SPARC. */
const O_PATH = 0o10000000

type Paths = Pick<ConfinementPlan, 'writable' | 'unreadable'>

export class FileAccess {
  readonly #paths: () => Paths

  /** @param paths worked out for each use: what they lead to may change */
  constructor(paths: () => Paths) {
    this.#paths = paths
  }

  /** @throws the system's error; EACCES for what is unreadable */
  async openForReading(path: string): Promise<FileHandle> {
    // Others than regular files are not waited for.
    const file = await open(path, O_RDONLY | O_NONBLOCK)
    return await kept(file, async () => {
      const real = await nameOf(file)
      if (this.#paths().unreadable.some((each) => isCovered(real, each))) {
        throw refusal('EACCES', 'this cannot be read in the sandbox', path)
      }
    })
  }

  /** To look at it only: it cannot be read. @throws the system's error */
  async openToLook(path: string): Promise<FileHandle> {
    return await open(path, O_PATH)
  }

  /** @throws the system's error */
  async openDirectory(path: string): Promise<FileHandle> {
    return await open(path, O_RDONLY | O_DIRECTORY)
  }

  /** A directory, made with those above it where they are missing. @throws the system's error; EROFS */
  async makeDirectory(path: string): Promise<FileHandle> {
    const directory = await this.#openDirectory(path, path, true)
    return await kept(directory, async () => this.#checkWritable(`${await nameOf(directory)}/`, path))
  }

  /**
   * A file that is empty. Its directory is made where it is missing.
   *
   * @param isNew whether it may not have been there
   * @throws the system's error; EROFS
   */
  async openForWriting(path: string, isNew = false): Promise<FileHandle> {
    const present = isNew ? undefined : await open(path, O_WRONLY | O_NONBLOCK).catch(unlessMissing)
    if (present !== undefined) {
      return await kept(present, async () => {
        this.#checkWritable(await nameOf(present), path)
        await present.truncate()
      })
    }
    return await this.#inDirectory(path, true, (name) =>
      open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666),
    )
  }

  /** @returns false where there is none. @throws the system's error; EROFS */
  async remove(path: string): Promise<boolean> {
    try {
      return await this.#inDirectory(path, false, async (name) => {
        await lstat(name)
        await rm(name)
        return true
      })
    } catch (error) {
      return unlessMissing(error) ?? false
    }
  }

  /** @param use gets a name that leads to the file, whatever becomes of the directories above it */
  async #inDirectory<Value>(
    path: string,
    make: boolean,
    use: (name: string) => Promise<Value>,
  ): Promise<Value> {
    const directory = await this.#openDirectory(dirname(path), path, make)
    try {
      this.#checkWritable(`${await nameOf(directory)}/`, path)
      return await use(entryOf(directory, basename(path)))
    } finally {
      await directory.close()
    }
  }

  async #openDirectory(directory: string, path: string, make: boolean): Promise<FileHandle> {
    const missing: string[] = []
    let current = await open(directory, O_RDONLY | O_DIRECTORY).catch(make ? unlessMissing : fail)
    for (let above = directory; current === undefined; ) {
      missing.unshift(basename(above))
      above = dirname(above)
      current = await open(above, O_RDONLY | O_DIRECTORY).catch(unlessMissing)
    }
    for (const name of missing) {
      const parent: FileHandle = current
      try {
        this.#checkWritable(`${await nameOf(parent)}/`, path)
        const entry = entryOf(parent, name)
        await mkdir(entry).catch((error) => (error.code === 'EEXIST' ? undefined : fail(error)))
        current = await open(entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      } finally {
        await parent.close()
      }
    }
    return current
  }

  #checkWritable(real: string, path: string): void {
    if (this.#paths().writable.some((root) => isBelow(real, root))) return
    throw refusal('EROFS', 'files are read-only here in the sandbox', path)
  }
}

/** Closes the file when `check` fails. */
async function kept(file: FileHandle, check: () => Promise<void>): Promise<FileHandle> {
  try {
    await check()
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Where what has been opened is now. */
export const nameOf = (file: FileHandle): Promise<string> => readlink(`/proc/self/fd/${file.fd}`)

const entryOf = (directory: FileHandle, name: string) => `/proc/self/fd/${directory.fd}/${name}`

/** @param unreadable may have `*` in its last component */
function isCovered(real: string, unreadable: string): boolean {
  const name = basename(unreadable)
  if (!name.includes('*')) return isWithin(real, realNameOf(unreadable))
  const directory = realNameOf(dirname(unreadable))
  const [entry] = isBelow(real, directory) ? real.slice(directory.length + 1).split('/') : []
  const pattern = name.split('*').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return entry !== undefined && new RegExp(`^${pattern.join('.*')}$`, 's').test(entry)
}

function refusal(code: string, reason: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${reason}: ${path}`), { code, path })
}

function fail(error: unknown): never {
  throw error
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
