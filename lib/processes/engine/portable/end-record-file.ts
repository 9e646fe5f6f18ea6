// The record of a job's end, as its supervisor keeps it: native/supervisor/end_record.cc for the portable engine.

import { ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { makeDirectories } from '../../../base/util/directories.js'
import { endRecordBytes, endRecordSize, runningRecordBytes, tailRoom } from '../job-format/end-record.js'
import type { JobExit } from '../job-format/exit.js'
import { watchPaths } from '../job-format/watch-layout.js'
import type { JobPlan } from '../request.js'

export class EndRecordFile {
  readonly #brief: string | undefined
  readonly #running: string
  readonly #ended: string
  #file = -1
  #tail: Buffer = Buffer.alloc(0)
  #isCut = false

  constructor({ directory, brief }: JobPlan) {
    const { running, ended } = watchPaths(dirname(directory))
    this.#brief = brief
    this.#running = join(running, basename(directory))
    this.#ended = join(ended, basename(directory))
  }

  /** @throws the system's error */
  create(): void {
    if (this.#brief === undefined) return
    makeDirectories(dirname(this.#running), 0o700)
    makeDirectories(dirname(this.#ended), 0o700)
    this.#file = openSync(this.#running, 'wx', 0o600)
    const bytes = runningRecordBytes(this.#brief)
    if (writeSync(this.#file, bytes, 0, bytes.length, 0) === bytes.length) return
    rmSync(this.#running, { force: true })
    throw { errno: constants.errno.ENOSPC }
  }

  /** Of what the job has printed, of which `output` has `size` bytes. */
  keepTail(output: number, size: number): void {
    const start = Math.max(0, size - endRecordSize)
    const bytes = Buffer.alloc(size - start)
    try {
      this.#tail = bytes.subarray(0, readSync(output, bytes, 0, bytes.length, start))
      this.#isCut = start > 0
    } catch {
      // That it has ended is what counts.
    }
  }

  /** Whoever sees exit.json finds all of it here. */
  write(exit: JobExit): void {
    if (this.#brief === undefined || this.#file < 0) return
    const room = tailRoom(this.#brief, exit)
    const tail = this.#tail.subarray(Math.max(0, this.#tail.length - room))
    const isCut = this.#isCut || tail.length < this.#tail.length
    const bytes = endRecordBytes(this.#brief, exit, tail, isCut)
    try {
      writeSync(this.#file, bytes, 0, bytes.length, 0)
      ftruncateSync(this.#file, bytes.length)
    } catch {
      // exit.json says the same, and whoever reads the record knows where that is.
    }
  }

  /** Moves it to the ends. */
  finish(): void {
    if (this.#file < 0) return
    try {
      renameSync(this.#running, this.#ended)
    } catch {
      // Whoever watches does it.
    }
  }
}
