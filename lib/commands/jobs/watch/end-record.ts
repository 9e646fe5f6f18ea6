// ended/ID, and running/ID while the job runs: how a job ended, whatever becomes of its directory. Its first line is a
// JSON object, the rest are the last bytes that the job has printed.

import { endRecordSize } from '../../../processes/engine/job-format/end-record.js'
import type { JobExit } from '../../../processes/engine/job-format/exit.js'
import { type Fields, type Parsed, parseExit, parseObject, readStateFile } from '../record.js'

export interface EndRecord {
  id: string
  /** Its first 1000 bytes at most. */
  command: string
  /** As `conversationKey` gives it. */
  conversation: string | null
  createdAt: number
  /** Null while it runs, and when it is lost. */
  exit: JobExit | null
  /** Of a job that is lost: its last sign of life. */
  lostAt?: number
  /** The last bytes of its output, as they came. */
  tail: Buffer
  /** Whether there was more before them. */
  tailIsCut: boolean
}

const newline = 0x0a

/** @returns undefined when there is no such file */
export function readEndRecord(path: string): Parsed<EndRecord> | undefined {
  return readStateFile(path, endRecordSize, (bytes) => {
    const lineEnd = bytes.indexOf(newline)
    if (lineEnd < 0) throw new Error('has no first line')
    return parse(parseObject(bytes.subarray(0, lineEnd)), bytes.subarray(lineEnd + 1))
  })
}

function parse(fields: Fields, tail: Buffer): EndRecord {
  return {
    id: fields.text('id'),
    command: fields.text('command'),
    conversation: fields.textOrNull('conversation'),
    createdAt: fields.integer('createdAt'),
    exit: fields.isNull('exit') ? null : parseExit(fields.object('exit')),
    ...(fields.has('lostAt') && { lostAt: fields.integer('lostAt') }),
    tail,
    tailIsCut: fields.flag('tailIsCut', false),
  }
}
