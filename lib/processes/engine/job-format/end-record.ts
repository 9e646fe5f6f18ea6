// The bytes of ended/ID, and of running/ID while the job runs: native/supervisor/end_record.cc for the portable engine.

import type { JobExit } from './exit.js'

/** Bytes of the file. */
export const endRecordSize = 4096

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
