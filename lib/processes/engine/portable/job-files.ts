// The files of a background job, as native/supervisor/job.cc writes them: what it prints, what it is, how it ended.

import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { makeDirectories } from '../../../base/util/directories.js'
import { trimCutStart } from '../../output/decode.js'
import type { JobExit } from '../job-format/exit.js'
import type { JobPlan } from '../request.js'
import { errnoOf, step } from './completion.js'
import { EndRecordFile } from './end-record-file.js'
import { HeadTailBuffer } from './head-tail-buffer.js'

/** How a job came to its end. */
export type JobEnd = Pick<JobExit, 'status' | 'exitCode' | 'signal'>

const ringSize = 64 * 1024
/** In the file behind the last bytes of the ring: the notice and the status line. */
const reserve = 1024
/** The blocks of exit.json, taken at the start. */
const exitSize = 512

export class JobFiles {
  readonly #plan: JobPlan
  readonly #headLimit: number
  readonly #ring = new HeadTailBuffer(0, ringSize)
  readonly #endRecord: EndRecordFile
  #output = -1
  #exit = -1
  #size = 0
  #printed = 0
  #dropped = 0
  #lost = 0
  #lostErrno = 0

  constructor(plan: JobPlan) {
    this.#plan = plan
    this.#endRecord = new EndRecordFile(plan)
    this.#headLimit = Math.max(plan.outputLimit - ringSize - reserve, 0)
  }

  /** @throws {StepError} */
  create(): void {
    const { directory } = this.#plan
    step('mkdir', () => {
      makeDirectories(dirname(directory), 0o700)
      mkdirSync(directory, { mode: 0o700 })
    })
    step('open output', () => {
      this.#output = this.#open('output')
      // Its blocks are taken now: how a job ended has to fit on a disk that the job itself has filled.
      this.#exit = this.#open('exit.json.tmp')
      if (writeAll(this.#exit, Buffer.alloc(exitSize, ' '), 0).errno !== 0)
        throw { errno: constants.errno.ENOSPC }
      this.#endRecord.create()
    })
  }

  /** @throws {StepError} */
  describe(pid: number, startTime: number, supervisor: { pid: number; startTime: number }): void {
    const processes = JSON.stringify({ pid, pgid: pid, startTime, supervisor })
    step('write job.json', () => {
      const file = this.#open('job.json.tmp')
      const { errno } = writeAll(file, Buffer.from(`${this.#plan.description}${processes.slice(1)}\n`), 0)
      closeSync(file)
      if (errno !== 0) throw { errno }
      this.#rename('job.json')
    })
  }

  /** Takes what the job has printed. */
  append(bytes: Buffer): void {
    this.#printed += bytes.length
    let kept = 0
    if (this.#ring.total === 0 && this.#lostErrno === 0) {
      const wanted = Math.min(bytes.length, this.#headLimit - this.#size)
      const { written, errno } = writeAll(this.#output, bytes.subarray(0, wanted), this.#size)
      kept = written
      this.#lostErrno = errno // ENOSPC and the like: the job runs on
      this.#size += written
    }
    this.#ring.append(bytes.subarray(kept))
  }

  /** The last words. */
  finish(end: JobEnd): void {
    this.#appendRing()
    this.#endRecord.keepTail(this.#output, this.#size)
    const line = Buffer.from(statusLine(end, this.#plan.limitMs))
    const start = this.#size
    if (!this.#write(line)) {
      // A full disk: the status takes the place of the last output, whose blocks are there.
      this.#size = Math.max(start - line.length, 0)
      this.#lost += start - this.#size
      this.#write(line)
    }
    try {
      ftruncateSync(this.#output, this.#size)
    } catch {
      // Parts of what did not fit stay.
    }
    this.#writeExit(end, line.length)
  }

  #appendRing(): void {
    const { total } = this.#ring
    if (total === 0) return
    let last = this.#ring.tail
    if (last.length < total) {
      // The rest of a character that the gap has cut.
      last = trimCutStart(last)
      const gap = total - last.length
      // The ring is in use because of the cap, or because the disk was full.
      const isFull = this.#lostErrno !== 0
      if (isFull) this.#lost = gap
      else this.#dropped = gap
      const start = this.#size
      const notice = `\n\n[${gap} bytes ${isFull ? 'could not be written' : 'dropped'}]\n\n`
      if (!this.#write(Buffer.from(notice))) this.#size = start
    }
    const before = this.#size
    this.#write(last)
    this.#lost += last.length - (this.#size - before)
  }

  #writeExit(end: JobEnd, statusLineBytes: number): void {
    const exit: JobExit & { version: 1 } = {
      version: 1,
      ...end,
      endedAt: Date.now(),
      outputBytes: this.#printed,
      droppedBytes: this.#dropped,
      lostBytes: this.#lost,
      lostErrno: this.#lost > 0 ? this.#lostErrno : 0,
      // Not known: Node tells nothing of what a child has used.
      userMs: 0,
      systemMs: 0,
      maxRssBytes: 0,
      statusLineBytes,
    }
    this.#endRecord.write(exit)
    const json = Buffer.from(`${JSON.stringify(exit)}\n`)
    writeAll(this.#exit, json, 0)
    ftruncateSync(this.#exit, json.length)
    this.#rename('exit.json')
    this.#endRecord.finish()
  }

  /** @returns whether all of it was written */
  #write(bytes: Buffer): boolean {
    const { written, errno } = writeAll(this.#output, bytes, this.#size)
    if (errno !== 0) this.#lostErrno = errno
    this.#size += written
    return errno === 0
  }

  #open(name: string): number {
    return openSync(join(this.#plan.directory, name), 'wx+', 0o600)
  }

  /** Both JSON files appear by rename: a reader sees all of them or nothing. */
  #rename(name: string): void {
    renameSync(join(this.#plan.directory, `${name}.tmp`), join(this.#plan.directory, name))
  }
}

/** As much as can be written, and why not all. */
function writeAll(file: number, bytes: Buffer, offset: number): { written: number; errno: number } {
  let written = 0
  try {
    while (written < bytes.length) {
      written += writeSync(file, bytes, written, bytes.length - written, offset + written)
    }
    return { written, errno: 0 }
  } catch (error) {
    return { written, errno: errnoOf(error) }
  }
}

const hourMs = 3_600_000

function statusLine({ status, exitCode, signal }: JobEnd, limitMs: number): string {
  switch (status) {
    case 'completed':
      return '\n\n[background process completed]'
    case 'failed':
      return `\n\n[background process failed: exit code ${exitCode}]`
    case 'killed':
      return `\n\n[background process killed: ${signal}]`
    case 'timed_out':
      return `\n\n[background process timed out after ${duration(limitMs)}]`
  }
}

function duration(ms: number): string {
  if (ms % hourMs === 0) return `${ms / hourMs}h`
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
}
