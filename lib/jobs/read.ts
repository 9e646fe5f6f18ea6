// Reading the output of a job: all of it or a part, as it is or filtered, in bounded memory.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { constants as os } from 'node:os'
import { systemError } from '../errors.js'
import { directoryError } from './directory.js'
import { extentOf } from './extent.js'
import type { Job, JobStatus } from './inspect.js'
import type { CheckedReadOptions } from './read-options.js'
import { type FoundText, searchLines } from './search.js'
import { readWindow } from './window.js'

/** The output of a job, bounded, and how the job is. */
export interface JobOutput {
  status: JobStatus
  /**
   * The text, without the supervisor's status line. Invalid UTF-8 is shown as U+FFFD, NUL as ␀. Where something was left
   * out stands `[output truncated: first H and last T of N characters]`; bytes that were not read count as a character
   * each.
   */
  output: string
  /** Whether `output` leaves out anything of the part that was asked for: its middle, or ends of very long lines. */
  truncated: boolean
  /** Whether what was looked at contains NUL bytes or is not UTF-8. */
  binary: boolean
  exitCode: number | null
  signal: string | null
  /** Bytes that the job has printed, also those not asked for. */
  outputBytes: number
  /**
   * The `offset` that goes on where this read ended: a character boundary while the job runs; with a filter a line's
   * start.
   */
  nextOffset: number
  /** Bytes that are not in the file because it had reached its allowed size. A note in the file marks the place. */
  droppedBytes: number
  /** Bytes from `nextOffset` on that the filter has had no time for. */
  unsearchedBytes: number
  /** Why the job is lost, or a part of its output. */
  error?: { code: string; message: string }
}

/** @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path when the file cannot be read */
export async function readOutput(job: Job, options: CheckedReadOptions): Promise<JobOutput> {
  const { nextOffset, output, truncated, binary, unsearchedBytes } = await readText(job, options)
  const { status, exitCode, signal, outputBytes, droppedBytes } = job
  const error = errorOf(job)
  return {
    status,
    output,
    truncated,
    binary,
    exitCode,
    signal,
    // The job may have printed more between the look at it and the read.
    outputBytes: Math.max(outputBytes, job.exit === null ? nextOffset : 0),
    nextOffset,
    droppedBytes,
    unsearchedBytes,
    ...(error !== undefined && { error }),
  }
}

async function readText(job: Job, options: CheckedReadOptions): Promise<FoundText> {
  const { filter, filterTimeoutMs: timeoutMs, maxChars, normalizeOutput, signal } = options
  signal?.throwIfAborted()
  const file = await openOutput(job.outputFile)
  try {
    const extent = await extentOf(file, job, options)
    if (filter === undefined) {
      const text = await readWindow(file, extent, { maxChars, normalizeOutput })
      return { ...text, unsearchedBytes: 0 }
    }
    return await searchLines(file, extent, { maxChars, normalizeOutput, filter, timeoutMs, signal })
  } catch (cause) {
    throw isSystemFailure(cause) ? directoryError('read', job.outputFile, cause) : cause
  } finally {
    await file.close()
  }
}

async function openOutput(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    // What a command may have put there instead: a link to another file, a FIFO that nobody writes to.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    throw directoryError('open', path, cause)
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw systemError('ERR_JOB_DIRECTORY', { step: 'read', errno: os.errno.EINVAL, path })
}

function isSystemFailure(cause: unknown): boolean {
  return typeof (cause as NodeJS.ErrnoException | null)?.errno === 'number'
}

function errorOf({ status, problem }: Job): JobOutput['error'] {
  if (problem === undefined) return undefined
  return { code: status === 'lost' ? 'ERR_SUPERVISOR_LOST' : 'ERR_JOB_DIRECTORY', message: problem }
}
