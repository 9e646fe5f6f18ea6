// The directories of a worker, which are this user's alone, and what it writes into them by itself.

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { BashError, systemError } from '../../../base/errors.js'
import { makeDirectories } from '../../../base/util/directories.js'
import { randomHex } from '../../../base/util/lazy.js'
import { readRegularFile } from '../../../base/util/regular-file.js'
import { noteStateDirectory } from '../../../base/util/state-directories.js'
import { provenEngine } from '../../../processes/engine/choose.js'

const writableByOthers = 0o022
const lockTries = 20
const lockPauseMs = 50

export class WorkerState {
  readonly directory: string
  readonly calls: string
  readonly #release: () => void
  /** The same after each restart. */
  readonly name: string

  private constructor(directory: string, name: string, release: () => void) {
    this.directory = directory
    this.calls = join(directory, 'calls')
    this.name = name
    this.#release = release
  }

  /**
   * Takes the directory: two workers on one disk would take each other's calls for their own.
   *
   * @returns undefined when another process has it
   * @throws {BashError} ERR_UNSUPPORTED_PLATFORM; ERR_CALL_DIRECTORY when it cannot be used
   */
  static async open(directory: string): Promise<WorkerState | undefined> {
    const { engine } = await provenEngine()
    if (engine.name !== 'native') {
      throw new BashError('ERR_UNSUPPORTED_PLATFORM', 'a worker needs the native engine')
    }
    prepareDirectory(directory)
    noteStateDirectory(directory)
    const path = join(directory, 'worker.lock')
    for (let left = lockTries; ; left -= 1) {
      const release = engine.lockFile(path)
      if (typeof release === 'function') return new WorkerState(directory, nameOf(directory), release)
      // A process that is being started holds its parent's for a moment.
      if (left === 0 && release?.errno === constants.errno.EAGAIN) return undefined
      if (left === 0) throw unlockable(path, release?.errno ?? 0)
      await new Promise((resolve) => setTimeout(resolve, lockPauseMs))
    }
  }

  /** A directory in it, made if it is not there. */
  place(...names: string[]): string {
    const directory = join(this.directory, ...names)
    makeDirectories(directory, 0o700)
    return directory
  }

  close(): void {
    this.#release()
  }
}

/** Makes it if it is not there. @throws {BashError} ERR_CALL_DIRECTORY */
export function prepareDirectory(directory: string): void {
  try {
    makeDirectories(directory, 0o700)
    const stats = statSync(directory)
    const uid = process.geteuid?.()
    if (stats.uid === uid && (stats.mode & writableByOthers) === 0) return
  } catch (cause) {
    const { errno = 0 } = cause as NodeJS.ErrnoException
    throw systemError('ERR_CALL_DIRECTORY', { step: 'mkdir', errno: Math.abs(errno), path: directory }, cause)
  }
  throw new BashError(
    'ERR_CALL_DIRECTORY',
    `${directory} must belong to this user, and be writable by nobody else`,
  )
}

const unlockable = (path: string, errno: number): BashError =>
  systemError('ERR_CALL_DIRECTORY', { step: 'fcntl', errno, path })

function nameOf(directory: string): string {
  const path = join(directory, 'id')
  try {
    const name = readRegularFile(path, 64).toString()
    if (/^[0-9a-f]{32}$/.test(name)) return name
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const name = randomHex(16)
  writeDurably(path, Buffer.from(name))
  return name
}

/** Whole or not at all, and there after a loss of power. */
export function writeDurably(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${randomHex(6)}.tmp`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
