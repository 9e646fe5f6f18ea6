// A job that has ended, put together from its directory while there is one, and then from the record of its end.

import { join } from 'node:path'
import { part } from '../../../base/util/load-part.js'
import { watchPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { decodeBytes, trimCutStart } from '../../../processes/output/decode.js'
import type * as Encodings from '../../../processes/output/encodings/readable.js'
import { redactTokens } from '../../../processes/output/redact/redact-tokens.js'
import type * as Redactors from '../../../processes/output/redact/redactor.js'
import { normalizeOutput } from '../../../processes/output/render.js'
import { jobPaths } from '../directory.js'
import { mayBeUnfinished } from '../extent.js'
import { inspectJob } from '../inspect.js'
import type { Job } from '../job.js'
import { lastLines } from '../last-lines.js'
import { checkReadOptions, type ReadJobOptions, readOutput } from '../read.js'
import { checkRedactJob, findBetweenGaps } from '../redaction.js'
import { type EndRecord, readEndRecord } from './end-record.js'

export type Redact = ReadJobOptions['redact']

const maxLines = 10
const maxChars = 2000
/** Of a line among the last. */
const newline = 0x0a

/** Whoever has a redactor has it loaded. */
const redactors = part((): typeof Redactors => require('../../../processes/output/redact/redactor.js'))
const encodings = part((): typeof Encodings => require('../../../processes/output/encodings/readable.js'))

export interface EndedJob {
  job: Job
  command: string
  durationMs: number | null
  lines: string[]
}

/**
 * @returns undefined when nothing is left of it
 * @throws {BashError} (rejects) ERR_JOB_DIRECTORY
 */
export async function endedJob(root: string, id: string, redact: Redact): Promise<EndedJob | undefined> {
  const parsed = readEndRecord(join(watchPaths(root).ended, id))
  // Its files may have been changed by a command, or by a disk that was full.
  const record = parsed?.value?.id === id ? parsed.value : undefined
  const inspected = inspectJob(root, id)
  if (inspected === undefined && parsed === undefined) return undefined
  const job = withEnd(inspected ?? gone(root, id), record)
  const command = shownCommand(inspected?.record?.command.slice(0, maxChars) ?? record?.command ?? '', redact)
  const read = inspected && (await lastLinesOf(job, redact))
  const createdAt = record?.createdAt ?? inspected?.record?.createdAt
  const durationMs = job.exit === null || createdAt === undefined ? null : job.exit.endedAt - createdAt
  return { job, command, durationMs, lines: read ?? linesOf(record, redact) }
}

/** The last lines of a job's output. @returns undefined when they cannot be read */
export async function lastLinesOf(job: Job, redact: Redact): Promise<string[] | undefined> {
  const options = { maxChars, normalizeOutput: true, redact }
  try {
    const last = await readOutput(job, checkReadOptions({ ...options, tailLines: maxLines }))
    // What it is stands at its beginning.
    const all = last.binary ? await readOutput(job, checkReadOptions(options)) : last
    return shownLines(last.output, all.readable ?? last.readable)
  } catch {
    return undefined
  }
}

export function shownCommand(command: string, redact: Redact): string {
  const redactor = checkRedactJob('options.redact', redact)
  return redactTokens(redactor?.text(command) ?? command)
}

/** What the record says counts where exit.json is gone, or says nothing. */
function withEnd(job: Job, record: EndRecord | undefined): Job {
  if (job.exit !== null || record === undefined) return job
  const { exit, lostAt } = record
  if (exit === null) return { ...job, status: 'lost', endedAt: lostAt ?? job.endedAt ?? record.createdAt }
  const { status, exitCode, signal, outputBytes, droppedBytes, lostBytes, endedAt } = exit
  return { ...job, status, exitCode, signal, outputBytes, droppedBytes, lostBytes, endedAt, exit }
}

function gone(root: string, id: string): Job {
  return {
    id,
    status: 'lost',
    record: null,
    outputFile: jobPaths(root, id).output,
    exitCode: null,
    signal: null,
    outputBytes: 0,
    droppedBytes: 0,
    lostBytes: 0,
    endedAt: null,
    exit: null,
    problem: 'its files were removed',
  }
}

/** A secret that the beginning has cut could not be told: what has no line break before it is left out. */
function linesOf(record: EndRecord | undefined, redact: Redact): string[] {
  if (record === undefined) return []
  const { tail, tailIsCut, exit } = record
  // Of a newline in UTF-16, the zero behind it is the other half.
  const half = tail.at(-1) === 0 ? 1 : 0
  const behindNewline = tail.indexOf(newline) + 1 || tail.length
  const whole = tailIsCut ? tail.subarray(behindNewline + half) : tail
  const redactor = checkRedactJob('options.redact', redact)
  // The record does not tell whether a foreground command has printed what comes before: then it may have begun one.
  const edges = { isBehindGap: true, isBeforeGap: exit === null || mayBeUnfinished(exit) }
  const found = redactor === undefined ? [] : findBetweenGaps(whole, redactor, edges)
  const shown = found.length === 0 ? whole : redactors().replace(whole, found)
  const { text, binary } = decodeBytes(trimCutStart(shown))
  const render = (text: string) => normalizeOutput(redactTokens(text))
  if (!binary) return shownLines(render(text))
  const hide: Encodings.Hide | undefined =
    redactor && ((part) => redactors().withoutFound(part, redactor, edges))
  const stream = { head: shown, tail: Buffer.alloc(0), total: shown.length }
  return shownLines(
    render(text),
    encodings().readable(stream, ({ head }) => render(head.toString()), hide),
  )
}

/** Of output that is no text, with a line that says so; of UTF-16 that is not decoded only that. */
function shownLines(output: string, readable?: Encodings.Readable): string[] {
  const text = readable?.output ?? (readable !== undefined && output.includes('\u2400') ? '' : output)
  const lines = splitLines(lastLines(text, maxLines).slice(-maxChars))
  return readable === undefined ? lines : [...lines, `[output is not text: ${readable.note}]`]
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  while (lines.at(-1) === '') lines.pop()
  return lines
}
