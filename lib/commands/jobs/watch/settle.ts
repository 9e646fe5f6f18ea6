// Jobs whose supervisor is gone without having said that they ended: whoever watches says it, and who removes a job.

import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectories } from '../../../base/util/directories.js'
import { endRecordBytes, tailRoom } from '../../../processes/engine/job-format/end-record.js'
import { watchPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { directoryError, isThere, jobPaths } from '../directory.js'
import { hasSupervisor, inspectJob, isLocked } from '../inspect.js'
import type { Job } from '../job.js'
import { briefOf } from './brief.js'
import { readEndRecord } from './end-record.js'

/** What a supervisor takes at most from its last file to the end of it all, milliseconds. */
const endingMs = 10_000
/** A job that has no job.json for so long has not started. */
const startMs = 60_000

/**
 * Moves running/ID to ended/ID when the job is over and its supervisor will not do it any more. Several processes may do so
 * at once, and the supervisor with them: all write the same, in place, and one of them moves it. So what was moved, told,
 * acknowledged and removed never comes back.
 *
 * @returns whether there is no running/ID any more
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export function settleJob(root: string, id: string): boolean {
  const running = join(watchPaths(root).running, id)
  const written = readEndRecord(running)
  if (written === undefined) return true
  const job = inspectJob(root, id)
  const ended = join(watchPaths(root).ended, id)
  // A clean-up came between the last two steps of its supervisor.
  if (job === undefined)
    return written.value?.exit ? move(running, ended) : removeUnstarted(root, id, running)
  if (!isOver(root, job)) return false
  if (job.record !== null && (written.value?.exit ?? null) === null) writeEnd(running, job)
  return move(running, ended)
}

function isOver(root: string, job: Job): boolean {
  if (job.status === 'running') return false
  if (job.exit === null) return true
  const supervised = hasSupervisor(root, job)
  return supervised === false || (supervised === undefined && Date.now() - job.exit.endedAt > endingMs)
}

/** Between its first file and job.json a start takes a moment; one that has failed leaves them. */
function removeUnstarted(root: string, id: string, running: string): boolean {
  const stats = statSync(running, { throwIfNoEntry: false })
  if (stats === undefined) return true
  const { output } = jobPaths(root, id)
  if (Date.now() - stats.mtimeMs < startMs || isLocked(output) === true) return false
  rmSync(running, { force: true })
  return true
}

/** Its blocks are there, also on a full disk. */
function writeEnd(running: string, job: Job): void {
  const { record, exit } = job
  if (record === null) return
  const brief = briefOf(record)
  const end = exit ?? { lostAt: job.endedAt ?? record.createdAt }
  const { tail, isCut } = tailOf(job, tailRoom(brief, end))
  const bytes = endRecordBytes(brief, end, tail, isCut)
  try {
    const file = openSync(running, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      writeSync(file, bytes, 0, bytes.length, 0)
      ftruncateSync(file, bytes.length)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw directoryError('write', running, cause)
  }
}

function tailOf({ outputFile, exit }: Job, room: number): { tail: Buffer; isCut: boolean } {
  const none = { tail: Buffer.alloc(0), isCut: false }
  try {
    const file = openSync(outputFile, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile()) return none
      const end = Math.max(0, stats.size - (exit?.statusLineBytes ?? 0))
      const start = Math.max(0, end - room)
      const tail = Buffer.alloc(end - start)
      return { tail: tail.subarray(0, readSync(file, tail, 0, tail.length, start)), isCut: start > 0 }
    } finally {
      closeSync(file)
    }
  } catch {
    // It is told that the job ended, which is what counts.
    return none
  }
}

/** @returns whether it is done, by whomever */
function move(running: string, ended: string): boolean {
  try {
    // A clean-up removes it while it is empty.
    makeDirectories(dirname(ended), 0o700)
    renameSync(running, ended)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw directoryError('rename', running, cause)
    return !isThere(running)
  }
}
