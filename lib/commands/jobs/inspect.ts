// The state of jobs, as their files and their supervisors tell it.

import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describeFailure, systemError } from '../../base/errors.js'
import { isAlive, type ProcessIdentity } from '../../base/util/process-identity.js'
import { lostSandbox } from '../../guard/sandbox/protections.js'
import { currentEngine } from '../../processes/engine/choose.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import type { JobExit } from '../../processes/engine/job-format/exit.js'
import { denialsOfJob, notesOf } from './denials.js'
import { checkJobsDirectory, directoryError, isJobId, isThere, type JobPaths, jobPaths } from './directory.js'
import type { Job, JobStatus } from './job.js'
import { type JobRecord, type Parsed, readExit, readRecord } from './record.js'

/** The process that watches over the job, when it is known. */
export function supervisorOf({ record }: Job): ProcessIdentity | undefined {
  if (record === null) return undefined
  const { bootId, pidNamespace, supervisor } = record
  return { pid: supervisor.pid, startTime: supervisor.startTime, bootId, pidNamespace }
}

/**
 * Whether a running job is worth another look. A job.json can be megabytes; this reads no file of the job. What cannot
 * be told at this moment is asked for again with the next call.
 */
export function mayHaveEnded(root: string, { id, record }: Job): boolean {
  const paths = jobPaths(root, id)
  try {
    return record === null || isThere(paths.exit) || isSupervised({ value: record }, paths) === false
  } catch {
    return false
  }
}

/** Whether the supervisor of a job lives. @returns undefined when that cannot be told from here */
export function hasSupervisor(root: string, { id, record }: Job): boolean | undefined {
  const paths = jobPaths(root, id)
  return record === null ? isLocked(paths.output) : isSupervised({ value: record }, paths)
}

/**
 * @returns undefined when there is no such job, or not yet: a job exists as soon as it has a job.json, and goes on to exist
 *   without one while it runs
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path when that, or how it is, cannot be told
 */
export function inspectJob(root: string, id: string): Job | undefined {
  const paths = jobPaths(root, id)
  const record = matching(readRecord(paths.record), id) ?? removedRecord(paths)
  if (record === undefined) return undefined
  let exit = readExit(paths.exit)
  if (exit?.value === undefined) {
    const supervised = isSupervised(record, paths)
    if (supervised !== false) {
      const outOfSight = supervised === undefined ? unseen : undefined
      return describe(id, 'running', paths, record, exit, outOfSight)
    }
    // It may have written its last file and ended between the two looks.
    exit = readExit(paths.exit)
    // A clean-up removes the record first: without it, it is the clean-up that took exit.json.
    if (exit === undefined && !isThere(paths.record)) return undefined
  }
  return describe(id, exit?.value?.status ?? 'lost', paths, record, exit)
}

const unseen =
  'whether it still runs is not known here: /proc does not show the PID namespace that it was started in, such as that ' +
  'of another container'

/** A start, or a hand-over, has no record for so long, milliseconds. */
const startMs = 5_000

/** Of a job whose record is gone, while its supervisor lives. */
function removedRecord({ directory, output, record }: JobPaths): Parsed<JobRecord> | undefined {
  const stats = statIfPossible(directory)
  if (stats === undefined || Date.now() - stats.birthtimeMs < startMs || isLocked(output) !== true)
    return undefined
  return { problem: `${record} is missing` }
}

function matching(record: Parsed<JobRecord> | undefined, id: string): Parsed<JobRecord> | undefined {
  const found = record?.value
  if (found === undefined || found.id === id) return record
  return { problem: `job.json of ${id} is that of ${found.id}` }
}

/**
 * Whether the supervisor of a job lives: as its process, or else as the holder of a lock. Across PID
 * namespaces, and where the record may not be read, the lock is all there is.
 *
 * @returns undefined when that cannot be told from here
 */
function isSupervised(parsed: Parsed<JobRecord>, { output }: JobPaths): boolean | undefined {
  const { value: record } = parsed
  if (record === undefined) return isLocked(output) === true
  const { bootId, pidNamespace, supervisor, createdAt, timeoutMs } = record
  const alive = isAlive({ ...supervisor, bootId, pidNamespace })
  // The record can be damaged, and still name a process.
  if (alive !== undefined) return alive || isLocked(output) === true
  const locked = supervisor.locksOutput === true ? isLocked(output) : undefined
  // Beyond its time limit its supervisor would have ended it.
  const isOver = timeoutMs > 0 && Date.now() > createdAt + timeoutMs + overtimeMs
  return locked ?? (isOver ? false : undefined)
}

/** What a supervisor may take to end a job at its time limit, and then some, milliseconds. */
const overtimeMs = 60_000

function describe(
  id: string,
  status: JobStatus,
  paths: JobPaths,
  record: Parsed<JobRecord>,
  parsedExit: Parsed<JobExit> | undefined,
  outOfSight?: string,
): Job {
  const exit = parsedExit?.value ?? null
  const output = statIfPossible(paths.output)
  const found = record.value ?? null
  const notes = notesOf(found, paths.output, 'byDefault')
  const problem =
    record.problem ??
    parsedExit?.problem ??
    outOfSight ??
    lossOf(status, exit, paths) ??
    notes?.problem ??
    lossOfSandbox(exit, notes?.value)
  return {
    id,
    status,
    record: found,
    outputFile: paths.output,
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    outputBytes: exit?.outputBytes ?? output?.size ?? 0,
    droppedBytes: exit?.droppedBytes ?? 0,
    lostBytes: exit?.lostBytes ?? 0,
    endedAt: status === 'running' ? null : (exit?.endedAt ?? lastChange(paths, output)),
    exit,
    ...(problem !== undefined && { problem }),
    ...denialsOfJob(found, notes?.value),
  }
}

function lossOfSandbox(exit: JobExit | null, notes: SandboxEvents | undefined): string | undefined {
  if (notes?.brokerEnded === true) return lostSandbox
  const lost = exit?.lostNotes ?? 0
  return lost > 0
    ? `${lost} notes about the sandbox could not be written: refusals and changes of watched paths are missing`
    : undefined
}

function lossOf(status: JobStatus, exit: JobExit | null, { output }: JobPaths): string | undefined {
  if (status === 'lost') return 'its supervisor has ended without recording how the job did'
  if (exit === null || exit.lostBytes === 0) return undefined
  const failure = describeFailure({ step: 'write', errno: exit.lostErrno, path: output })
  return `${exit.lostBytes} bytes of output could not be written: ${failure}`
}

function lastChange(paths: JobPaths, output: Stats | undefined): number {
  return Math.max(output?.mtimeMs ?? 0, statIfPossible(paths.directory)?.mtimeMs ?? 0)
}

/**
 * @returns undefined when there is none, or a command has taken it out of reach
 * @throws {BashError} ERR_JOB_DIRECTORY: another error says nothing of the file, and its age decides what is removed
 */
function statIfPossible(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined
    throw directoryError('stat', path, cause)
  }
}

/**
 * Whether a supervisor holds the lock on the output file of its job: it shows that it lives where its pid says nothing, in
 * another PID namespace.
 *
 * @returns undefined where the engine cannot tell, and when the file is gone or out of reach
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export function isLocked(output: string): boolean | undefined {
  const answer = currentEngine().isLocked(output)
  if (typeof answer === 'boolean' || answer === undefined) return answer
  throw systemError('ERR_JOB_DIRECTORY', { step: 'flock', errno: answer.errno, path: output })
}

/** Looks between two turns of the event loop; each takes some 100 µs, and milliseconds where a sandbox refused much. */
const looksPerTurn = 20
const longestTurnMs = 5

export interface Found {
  id: string
  /** Undefined while it starts, and after a failed start. */
  job?: Job | undefined
  /** Why it cannot be told how it is. */
  failure?: unknown
}

/**
 * Every directory that is a job's, each with its job. However many there are, the event loop is not held.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export async function* inspectJobs(root: string): AsyncGenerator<Found> {
  let looks = 0
  let since = performance.now()
  for (const id of jobIds(root)) {
    if (++looks % looksPerTurn === 0 || performance.now() - since > longestTurnMs) {
      await nextTurn()
      since = performance.now()
    }
    yield lookAt(root, id)
  }
}

function lookAt(root: string, id: string): Found {
  try {
    return { id, job: inspectJob(root, id) }
  } catch (failure) {
    return { id, failure }
  }
}

function jobIds(root: string): string[] {
  if (!checkJobsDirectory(root)) return []
  let entries: Dirent[]
  try {
    entries = readdirSync(root, { withFileTypes: true })
  } catch (cause) {
    throw directoryError('readdir', root, cause)
  }
  return entries.filter((entry) => entry.isDirectory() && isJobId(entry.name)).map(({ name }) => name)
}
