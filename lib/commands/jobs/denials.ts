// What the sandbox refused a job, and what it found: by the supervisor's notes, and by what the job has printed.

import { dirname, join } from 'node:path'
import { part } from '../../base/util/load-part.js'
import type * as Confinement from '../../guard/sandbox/confinement.js'
import { denialFields } from '../../guard/sandbox/refusals.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import { readOnlyPlan } from '../../processes/engine/request.js'
import type { Redactor } from '../../processes/output/redact/redactor.js'
import type { JobDenials } from './job.js'
import { type JobRecord, type Parsed, readNotes } from './record.js'
import { withoutSecrets } from './redaction.js'

/** What there is to be looked at besides the notes. */
interface Printed {
  output: string
  exitCode: number | null
}

/** The notes of a job that has a sandbox; of no other is a file looked for. Secrets are taken out of them. */
export function notesOf(
  record: JobRecord | null,
  outputFile: string,
  redactor: Redactor | 'byDefault' | undefined,
): Parsed<SandboxEvents> | undefined {
  if (record?.sandbox === undefined) return undefined
  const notes = readNotes(join(dirname(outputFile), 'sandbox'))
  return notes?.value === undefined ? notes : { ...notes, value: withoutSecrets(notes.value, redactor) }
}

/** @param printed what it has printed; without it, only what is certain is told */
export function denialsOfJob(
  record: JobRecord | null,
  report: SandboxEvents | undefined,
  printed?: Printed,
): JobDenials {
  const sandbox = record?.sandbox
  if (record === null || sandbox === undefined) return {}
  const { name, shell, domains, ...plan } = sandbox
  const fields: JobDenials = { sandbox: name }
  if (report !== undefined || printed !== undefined) {
    const { output, exitCode } = printed ?? { output: '', exitCode: 0 }
    const run = {
      output,
      exitCode,
      // Its text tells who may have printed a line.
      command: printed === undefined ? '' : record.command,
      directory: record.workingDir,
      sandbox: name,
      domains,
      plan: { ...readOnlyPlan, ...plan },
      report,
      mayBeWritable: (directory: string) => mayBeWritable(directory, shell),
    }
    Object.assign(fields, denialFields(run))
  }
  if (report !== undefined && report.changed.length > 0) fields.protectedChanged = report.changed
  if (report !== undefined && report.changedDropped > 0) fields.protectedDropped = report.changedDropped
  return fields
}

const confinement = part((): typeof Confinement => require('../../guard/sandbox/confinement.js'))

/** What the variables of this process do not tell of those of the job is left out. */
const ownEnvironment = {
  encoded: Buffer.alloc(0),
  removed: [],
  withoutPwd: true,
  bashEnv: undefined,
  home: undefined,
}

function mayBeWritable(directory: string, shell: string): boolean {
  const place = { base: '/', cwd: '/', environment: ownEnvironment, shell, field: '', required: [] }
  return confinement().refusalOf(directory, place) === undefined
}
