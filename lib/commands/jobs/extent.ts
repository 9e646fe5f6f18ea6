// Which part of a job's output file a reader gets, and where that is complete.

import type { FileHandle } from 'node:fs/promises'
import { completeLength, orphanLength } from '../../processes/output/utf8.js'
import type { Job } from './job.js'

/** A part of the file, in bytes. It does not begin inside a character, and ends inside one only if the output does. */
export interface Extent {
  start: number
  end: number
  /**
   * What the end is: that of everything the job printed, that of what it has printed so far, or one that the reader
   * asked for.
   */
  ends: 'complete' | 'growing' | 'cut'
  /** What the job has printed, or so far. */
  content: Content
}

export interface Content {
  /** Whether something is missing before it: of a job that a foreground command has left, what that has printed. */
  isBehindGap: boolean
  end: number
  /** What comes behind it: a job that was killed, or has met a full disk, may have been in the middle of something. */
  follows: 'nothing' | 'more' | 'gap'
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
  const content = { isBehindGap: job.record?.adopted === true, end: contentEnd, follows: whatFollows(job) }
  const start = await characterStart(file, Math.min(offset, contentEnd), contentEnd)
  const end = Math.min(contentEnd, start + maxBytes)
  const isCut = end < contentEnd
  if (!isCut && job.status !== 'running') return { start, end, ends: 'complete', content }
  return { start, end: await characterEnd(file, start, end), ends: isCut ? 'cut' : 'growing', content }
}

function whatFollows(job: Job): Content['follows'] {
  if (job.status === 'running') return 'more'
  return mayBeUnfinished(job) ? 'gap' : 'nothing'
}

/** Whether what a job has printed may end in the middle of something. */
export function mayBeUnfinished({ status, lostBytes }: Pick<Job, 'status' | 'lostBytes'>): boolean {
  return (status !== 'completed' && status !== 'failed') || lostBytes > 0
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
export async function endOfContent(file: FileHandle, { exit }: Pick<Job, 'exit'>): Promise<number> {
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

/**
 * The supervisor's last words. They are in the file a moment before exit.json tells their length.
 */
const statusLine =
  /\n\n\[background process (?:completed|failed: exit code \d{1,3}|killed: [\w+]{1,20}|timed out after [\w.]{1,20})\]$/
/** More than the longest status line has. */
const maxStatusLineBytes = 128

/**
 * An escape sequence without its end: CSI, a short one, or a string such as a window title, as lib/processes/output/render.ts
 * knows them; in UTF-8, each byte a character. Each attempt ends at the next escape, so that the search is linear.
 */
const escapeSequence =
  /(?:\x1b(?:\[[\x20-\x3f]*|[\x20-\x2f]*|[\]PX^_](?:(?!\xc2\x9c)[^\x07\x18\x1a\x1b\n]){0,8192}\x1b?)|\xc2\x9b[\x20-\x3f]*)$/
/** The longest one that is looked for. */
const maxSequenceBytes = 8192 + 3

/** Length of the status line at the end of `bytes`, 0 when there is none. */
export function statusLineLength(bytes: Buffer): number {
  return statusLine.exec(lastBytes(bytes, maxStatusLineBytes))?.[0].length ?? 0
}

/** `bytes` without an escape sequence whose end is still to come: that would be read as text later. */
export function withoutUnfinishedSequence(bytes: Buffer): Buffer {
  const sequence = escapeSequence.exec(lastBytes(bytes, maxSequenceBytes))?.[0] ?? ''
  return bytes.subarray(0, bytes.length - sequence.length)
}

/** As Latin-1, so that the text has as many characters as bytes. */
function lastBytes(bytes: Buffer, count: number): string {
  return bytes.subarray(-count).toString('latin1')
}
