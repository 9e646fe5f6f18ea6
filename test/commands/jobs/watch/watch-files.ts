// Ends of jobs as supervisors leave them on the disk.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobDescription } from '../../../../lib/commands/jobs/record.js'
import { briefOf } from '../../../../lib/commands/jobs/watch/brief.js'
import { endRecordBytes, runningRecordBytes } from '../../../../lib/processes/engine/job-format/end-record.js'
import type { JobExit } from '../../../../lib/processes/engine/job-format/exit.js'
import { watchPaths } from '../../../../lib/processes/engine/job-format/watch-layout.js'
import { descriptionOf, exitOf } from '../job-files.js'

export interface EndFile extends Partial<JobDescription> {
  exit?: Partial<JobExit>
  tail?: string | Buffer
  tailIsCut?: boolean
}

/** Writes ended/ID; gives its path. */
export const writeEnd = (root: string, id: string, files: EndFile = {}): string => {
  const { exit, tail = '', tailIsCut = false, ...description } = files
  const { ended } = watchPaths(root)
  mkdirSync(ended, { recursive: true, mode: 0o700 })
  const brief = briefOf(descriptionOf(id, description))
  writeFileSync(join(ended, id), endRecordBytes(brief, exitOf(exit), Buffer.from(tail), tailIsCut))
  return join(ended, id)
}

/** Writes running/ID; gives its path. */
export const writeRunning = (root: string, id: string, description: Partial<JobDescription> = {}): string => {
  const { running, ended } = watchPaths(root)
  for (const directory of [running, ended]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(join(running, id), runningRecordBytes(briefOf(descriptionOf(id, description))))
  return join(running, id)
}
