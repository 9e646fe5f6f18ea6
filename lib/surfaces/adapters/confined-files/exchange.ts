// What a script reads and writes besides its text: a file without a name, which no command can put another in the place of.

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdtemp, open, rmdir, unlink } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { temporaryDirectory } from '../../../base/util/directories.js'

/** Node has no name for it: open(2), the value of asm-generic/fcntl.h. */
const O_TMPFILE = 0o20000000 | (constants.O_DIRECTORY ?? 0)

export type Content = string | Uint8Array | AsyncIterable<Uint8Array>

/**
 * @param use gets the file, which has this content. What it runs reads from its beginning
 * @throws the system's error where there can be none
 */
export async function withExchange<Value>(
  content: Content,
  use: (file: FileHandle) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const file = await openExchange()
  try {
    await fill(file, content, signal)
    return await use(file)
  } finally {
    await file.close()
  }
}

/** For this user alone. */
async function openExchange(): Promise<FileHandle> {
  let first: unknown
  for (const directory of [temporaryDirectory(), '/tmp', '/dev/shm', '/var/tmp'].filter(isAbsolute)) {
    try {
      return await openIn(directory)
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

/** Not every file system, nor every system, has files that never had a name. */
async function openIn(directory: string): Promise<FileHandle> {
  if (process.platform === 'linux') {
    const file = await open(directory, O_TMPFILE | constants.O_RDWR, 0o600).catch(() => undefined)
    if (file !== undefined) return file
  }
  const own = await mkdtemp(join(directory, 'bashward-exchange-'))
  // A name that nothing elsewhere has, whatever has become of the directory when it is taken away.
  const name = join(own, randomUUID())
  try {
    return await open(name, 'wx+', 0o600)
  } finally {
    await unlink(name).catch(() => {})
    await rmdir(own).catch(() => {})
  }
}

/** @throws an error with the code EFBIG for one that has more bytes */
export async function contentOf(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const { size } = await file.stat()
  if (size > maxBytes) throw Object.assign(new Error(`EFBIG: more than ${maxBytes} bytes`), { code: 'EFBIG' })
  const bytes = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

/** Where the descriptor stands stays the same: scripts read on from there. */
async function fill(exchange: FileHandle, content: Content, signal: AbortSignal | undefined): Promise<void> {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
  let position = 0
  for await (const piece of pieces) {
    signal?.throwIfAborted()
    const bytes = Buffer.from(piece as Uint8Array)
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await exchange.write(bytes, at, bytes.length - at, position)
      at += bytesWritten
      position += bytesWritten
    }
  }
}
