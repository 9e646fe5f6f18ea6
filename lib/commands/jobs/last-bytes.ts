// The last bytes that a job has printed, as they came.

import type { FileHandle } from 'node:fs/promises'
import { extentOf, readBytes } from './extent.js'
import type { Job } from './job.js'
import { openOutput } from './read.js'

export interface LastBytes {
  bytes: Buffer
  /** Of the first of them in the output. */
  offset: number
  /** Whether the output goes on, or has gone on, with bytes that are not in the file. */
  isMissing: boolean
}

/** What is kept of the end when a file is full, behind a note about what is not. */
const ringBytes = 64 * 1024

/** @throws {BashError} (rejects) ERR_JOB_DIRECTORY with step, errno and path */
export async function readLastBytes(job: Job, most: number): Promise<LastBytes> {
  const file = await openOutput(job.outputFile)
  try {
    return await readEnd(file, job, job.droppedBytes > 0 ? Math.min(most, ringBytes) : most)
  } finally {
    await file.close()
  }
}

async function readEnd(file: FileHandle, job: Job, most: number): Promise<LastBytes> {
  const { content } = await extentOf(file, job, { offset: Number.MAX_SAFE_INTEGER, maxBytes: most })
  const offset = Math.max(0, content.end - most)
  const bytes = await readBytes(file, offset, content.end)
  return { bytes, offset, isMissing: job.droppedBytes + job.lostBytes > 0 }
}
