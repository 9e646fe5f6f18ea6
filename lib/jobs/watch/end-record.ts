// ended/ID, and running/ID while the job runs: how a job ended, whatever becomes of its directory. Its first line is a
// JSON object, the rest are the last bytes that the job has printed. native/supervisor/end_record.cc writes it.

import { type Fields, type JobExit, type Parsed, parseExit, parseObject, readStateFile } from '../record.js'

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

/** Bytes of the file. */
export const endRecordSize = 4096
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

/** Room for the end of the output. */
export function tailRoom(brief: string, end: JobExit | { lostAt: number }): number {
  return endRecordSize - Buffer.byteLength(firstLine(brief, end, false))
}

/** The bytes of a record. @param tail as much as {@link tailRoom} has room for */
export function endRecordBytes(
  brief: string,
  end: JobExit | { lostAt: number },
  tail: Buffer,
  tailIsCut: boolean,
): Buffer {
  return Buffer.concat([Buffer.from(firstLine(brief, end, tailIsCut)), tail])
}

/** Those of a job that runs: they take all blocks that its end will need. */
export function runningRecordBytes(brief: string): Buffer {
  const bytes = Buffer.alloc(endRecordSize, ' ')
  bytes.write(`${brief}"exit":null}\n`)
  return bytes
}

function firstLine(brief: string, end: JobExit | { lostAt: number }, tailIsCut: boolean): string {
  const how =
    'lostAt' in end ? `"exit":null,"lostAt":${Math.floor(end.lostAt)}` : `"exit":${JSON.stringify(end)}`
  // `false` takes a byte more: then there is always room for either.
  return `${brief}"tailIsCut":${String(tailIsCut).padEnd(5)},${how}}\n`
}
