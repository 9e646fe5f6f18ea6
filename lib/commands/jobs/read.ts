// Reading the output of a job: all of it or a part, as it is or filtered, in bounded memory.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { constants as os } from 'node:os'
import { systemError } from '../../base/errors.js'
import { checkAbortSignal, checkFlag, checkInteger, checkObject } from '../../base/util/invalid-input.js'
import { lostSandbox } from '../../guard/sandbox/protections.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import { redactTokens } from '../../processes/output/redact/redact-tokens.js'
import type { Tally } from '../../processes/output/redact/redactor.js'
import { denialsOfJob, notesOf } from './denials.js'
import { directoryError } from './directory.js'
import { extentOf, leastMaxBytes } from './extent.js'
import type { Job, JobDenials, JobStatus } from './job.js'
import { lastLines, lastLinesOf } from './last-lines.js'
import { compileFilter } from './line-filter.js'
import { checkRedactJob, type RedactJobOptions } from './redaction.js'
import { type FoundText, searchLines } from './search.js'
import { readWindow } from './window.js'

export interface ReadJobOptions {
  /** The byte of the output file to begin with: 0, or the `nextOffset` of an earlier read. Default 0. */
  offset?: number | undefined
  /** Bytes of the file to read, at most; 4 or more. `nextOffset` follows them. Default: up to its end. */
  maxBytes?: number | undefined
  /** Characters of output (UTF-16 code units): of more the first and last half are given. 2…10,000,000, default 30,000. */
  maxChars?: number | undefined
  /**
   * A regular expression: only lines that it matches anywhere are given. RE2 syntax: that of JavaScript without
   * lookaround and backreferences. It is tried on the first 65,536 characters of a line, on fewer if it is large.
   */
  filter?: string | undefined
  /** Milliseconds that a filter may take; what it has not come to is left out, and `nextOffset` is where it stopped.
   * 1…600,000, default 10,000. */
  filterTimeoutMs?: number | undefined
  /** Only so many of the last lines of what would be given. 1…100,000; by default all. */
  tailLines?: number | undefined
  /** Strip escape sequences and render progress lines as a terminal would, before the filter. Default false. */
  normalizeOutput?: boolean | undefined
  /**
   * Whether the values of variables that a command is not given are taken out, before the filter: those that this process
   * has today. Default true.
   */
  redact?: boolean | RedactJobOptions | undefined
  /** Ends the read; it rejects with the reason. */
  signal?: AbortSignal | undefined
}

const fields = [
  ...['offset', 'maxBytes', 'maxChars', 'filter', 'filterTimeoutMs', 'tailLines', 'normalizeOutput'],
  ...['redact', 'signal'],
]
const anyOffset = [0, Number.MAX_SAFE_INTEGER] as const
const anySize = [leastMaxBytes, Number.MAX_SAFE_INTEGER] as const

/**
 * @param filterName what the caller knows the filter by
 * @throws {BashError} ERR_INVALID_INPUT, ERR_INVALID_FILTER
 */
export function checkReadOptions(value: unknown, filterName = 'filter') {
  const options = checkObject('options', value, fields) as ReadJobOptions
  const {
    offset = 0,
    maxBytes = Number.MAX_SAFE_INTEGER,
    maxChars = 30_000,
    filterTimeoutMs = 10_000,
    tailLines,
  } = options
  checkAbortSignal('options.signal', options.signal)
  return {
    offset: checkInteger('options.offset', offset, anyOffset, 'bytes'),
    maxBytes: checkInteger('options.maxBytes', maxBytes, anySize, 'bytes'),
    maxChars: checkInteger('options.maxChars', maxChars, [2, 10_000_000], 'characters'),
    filter: options.filter === undefined ? undefined : compileFilter(options.filter, filterName),
    filterTimeoutMs: checkInteger('options.filterTimeoutMs', filterTimeoutMs, [1, 600_000], 'milliseconds'),
    tailLines:
      tailLines === undefined
        ? undefined
        : checkInteger('options.tailLines', tailLines, [1, 100_000], 'lines'),
    normalizeOutput: checkFlag('options.normalizeOutput', options.normalizeOutput),
    redactor: checkRedactJob('options.redact', options.redact),
    signal: options.signal,
  }
}

/** The output of a job, bounded, and how the job is. */
export interface JobOutput extends JobDenials {
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
  /** Of such output, what texts show, as in the result of a command; not where a filter was given. */
  readable?: { output?: string; note: string }
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
  /**
   * Bytes from `nextOffset` on that the job has printed, and that may be the beginning of a withheld value: a later read
   * gives them, once what follows is there, a second has passed (of fewer than eight bytes), or the job has ended.
   */
  heldBytes?: number
  /** How often the value of each of these variables was taken out. */
  redacted?: Record<string, number>
  /** Why the job is lost, or a part of its output. */
  error?: { code: string; message: string }
}

/** @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path when the file cannot be read */
export async function readOutput(job: Job, options: ReturnType<typeof checkReadOptions>): Promise<JobOutput> {
  const tally: Tally = new Map()
  const text = await readText(job, options, tally)
  const { nextOffset, output, truncated, binary, readable, unsearchedBytes, heldBytes = 0 } = text
  const { status, exitCode, signal, outputBytes, droppedBytes, record } = job
  const notes = notesOf(record, job.outputFile, options.redactor)?.value
  const error = errorOf(job, notes)
  // Of what still runs nobody can say that it has failed.
  const printed = { output, exitCode: status === 'running' ? 0 : exitCode }
  return {
    status,
    // Of a job that reaches hosts by the proxy: the file has what it printed.
    output: redactTokens(output),
    truncated,
    binary,
    ...(readable !== undefined && { readable }),
    exitCode,
    signal,
    // The job may have printed more between the look at it and the read.
    outputBytes: Math.max(outputBytes, job.exit === null ? nextOffset : 0),
    nextOffset,
    droppedBytes,
    unsearchedBytes,
    ...(heldBytes > 0 && { heldBytes }),
    ...denialsOfJob(record, notes, printed),
    ...(tally.size > 0 && { redacted: Object.fromEntries(tally) }),
    ...(error !== undefined && { error }),
  }
}

async function readText(
  job: Job,
  options: ReturnType<typeof checkReadOptions>,
  tally: Tally,
): Promise<FoundText> {
  const {
    filter,
    filterTimeoutMs: timeoutMs,
    tailLines,
    maxChars,
    normalizeOutput,
    redactor,
    signal,
  } = options
  const textOptions = { maxChars, normalizeOutput, redactor, tally }
  signal?.throwIfAborted()
  const file = await openOutput(job.outputFile)
  try {
    const extent = await extentOf(file, job, options)
    if (filter === undefined) {
      const wanted = tailLines === undefined ? extent : await lastLinesOf(file, extent, tailLines)
      const text = await readWindow(file, wanted, textOptions)
      return { ...text, unsearchedBytes: 0 }
    }
    const found = await searchLines(file, extent, { ...textOptions, filter, timeoutMs, signal })
    return tailLines === undefined ? found : endOf(found, tailLines)
  } catch (cause) {
    throw isSystemFailure(cause) ? directoryError('read', job.outputFile, cause) : cause
  } finally {
    await file.close()
  }
}

/** What is left out before the last lines was not asked for. */
function endOf(found: FoundText, tailLines: number): FoundText {
  const output = lastLines(found.output, tailLines)
  return { ...found, output, truncated: found.truncated && output === found.output }
}

export async function openOutput(path: string): Promise<FileHandle> {
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

function errorOf({ status, problem }: Job, notes: SandboxEvents | undefined): JobOutput['error'] {
  if (notes?.brokerEnded === true) return { code: 'ERR_SANDBOX_LOST', message: lostSandbox }
  if (problem === undefined) return undefined
  return { code: status === 'lost' ? 'ERR_SUPERVISOR_LOST' : 'ERR_JOB_DIRECTORY', message: problem }
}
