// Files in directories that commands of the same user can write to: another thing may stand in the place of each. A link would
// lead elsewhere, and opening a FIFO that nobody writes to would hold the process for ever.

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { randomHex } from './lazy.js'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** What stands there is no file of ours, or was changed. Any other error says nothing of it, and may be gone the next time. */
export const damages: ReadonlySet<string | undefined> = new Set([
  ...['ELOOP', 'ENXIO', 'EISDIR', 'EACCES', 'EPERM'],
  'ERR_NO_REGULAR_FILE',
])

const noFile = () => Object.assign(new Error('not a regular file'), { code: 'ERR_NO_REGULAR_FILE' })

/**
 * @param flags as of open(2)
 * @throws the system's error; ERR_NO_REGULAR_FILE
 */
export function openRegularFile(path: string, flags = O_RDONLY, mode = 0o600): number {
  const descriptor = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw noFile()
}

/** Likewise. */
export async function openRegular(path: string, flags = O_RDONLY): Promise<FileHandle> {
  const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw noFile()
}

/** A file that this process has made, and that nobody has exchanged. @throws likewise, also for one with another name besides */
export async function openOwnFile(path: string, flags = O_RDONLY): Promise<FileHandle> {
  const file = await openRegular(path, flags)
  if ((await file.stat()).nlink <= 1) return file
  await file.close()
  throw noFile()
}

/** @throws as {@link openRegularFile}; an Error for more than `maxBytes` */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  const descriptor = openRegularFile(path)
  try {
    if (fstatSync(descriptor).size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whole or not at all, whatever stands there. @throws the system's error */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${randomHex(6)}.tmp`
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
