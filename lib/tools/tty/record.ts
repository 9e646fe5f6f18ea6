// What is remembered of a job's terminal beside the job, for any host that goes on with it: whether it has held a shell, and what
// stands in its line.

import { dirname, join } from 'node:path'
import { readRegularFile, replaceFile } from '../../base/util/regular-file.js'
import { directoryError } from '../../commands/jobs/directory.js'
import type { Job } from '../../commands/jobs/job.js'
import { emptyLine, firstLine, type TypedLine } from './line.js'

export interface TypedRecord {
  /** Whether it has ever held one. It does so for good. */
  hasShell: boolean
  line: TypedLine
}

/** A line of 64 Ki characters, each of its bytes escaped. */
const maxBytes = 1024 * 1024

const pathOf = ({ outputFile }: Job): string => join(dirname(outputFile), 'typed')

/** Of what cannot be read nothing is known: whatever stands in the line is not. */
const unknown: TypedRecord = { hasShell: true, line: { ...emptyLine, isKnown: false, isCut: true } }

export function readTyped(job: Job): TypedRecord {
  let text: string
  try {
    text = readRegularFile(pathOf(job), maxBytes).toString()
  } catch (error) {
    const isNone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isNone ? { hasShell: false, line: firstLine(job.record?.command ?? '') } : unknown
  }
  try {
    const { hasShell, line } = JSON.parse(text)
    const { text: typed, isKnown, isCut, open, keepsAtInterrupt } = line
    if (typeof typed !== 'string' || typeof open !== 'string') return unknown
    const kept = { ...(isCut === true && { isCut }), ...(keepsAtInterrupt === true && { keepsAtInterrupt }) }
    return { hasShell: hasShell !== false, line: { text: typed, isKnown: isKnown === true, open, ...kept } }
  } catch {
    return unknown
  }
}

/** Before it is typed: should this process die in between, more is remembered than was typed. */
export function writeTyped(job: Job, record: TypedRecord): void {
  const path = pathOf(job)
  try {
    // Another process may be reading it.
    replaceFile(path, JSON.stringify(record))
  } catch (cause) {
    throw directoryError('write', path, cause)
  }
}
