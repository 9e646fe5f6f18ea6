// Which part of a job's output file a reader wants.

import type { FileHandle } from 'node:fs/promises'
import { completeLength, orphanLength } from '../output/utf8.js'
import type { Job } from './inspect.js'
import { maxStatusLineBytes, statusLineLength } from './unfinished.js'

/** A part of the file, in bytes. It does not begin inside a character, and ends inside one only if the output does. */
export interface Extent {
  start: number
  end: number
  /**
   * What the end is: that of everything the job printed, that of what it has printed so far, or one that the reader
   * asked for.
   */
  ends: 'complete' | 'growing' | 'cut'
}

/** The least number of bytes that surely holds a character. */
export const leastMaxBytes = 4

/**
 * The part from `offset`, or from the end of the file when that comes first, of at most `maxBytes`.
 *
 * @param maxBytes at least {@link leastMaxBytes}
 */
export async function extentOf(
  file: FileHandle,
  job: Job,
  { offset, maxBytes }: { offset: number; maxBytes: number },
): Promise<Extent> {
  const contentEnd = await endOfContent(file, job)
  const start = await characterStart(file, Math.min(offset, contentEnd), contentEnd)
  const end = Math.min(contentEnd, start + maxBytes)
  const isCut = end < contentEnd
  if (!isCut && job.status !== 'running') return { start, end, ends: 'complete' }
  return { start, end: await characterEnd(file, start, end), ends: isCut ? 'cut' : 'growing' }
}

/** `at`, or the end of the character that it lies in. */
async function characterStart(file: FileHandle, at: number, limit: number): Promise<number> {
  const from = Math.max(at - 3, 0)
  const bytes = await readBytes(file, from, Math.min(at + 3, limit))
  const before = bytes.subarray(0, at - from)
  if (completeLength(before) === before.length) return at
  return at + orphanLength(bytes.subarray(before.length))
}

/** `at`, or the start of the character that it lies in. */
async function characterEnd(file: FileHandle, start: number, at: number): Promise<number> {
  const bytes = await readBytes(file, Math.max(at - 4, start), at)
  return at - (bytes.length - completeLength(bytes))
}

/** The size of the file without the supervisor's status line. */
async function endOfContent(file: FileHandle, { exit }: Job): Promise<number> {
  const { size } = await file.stat()
  if (exit !== null) return Math.max(size - exit.statusLineBytes, 0)
  const start = Math.max(size - maxStatusLineBytes, 0)
  return size - statusLineLength(await readBytes(file, start, size))
}

/** The bytes from `start` up to `end`; fewer when the file has become shorter. */
export async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(end - start)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}
