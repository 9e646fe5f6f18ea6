// What comes after the output of a job that has ended, for readers who are shown a status of its own.

import type { JobOutput } from '../jobs/read.js'
import { binaryNotice } from '../tools/bash-text.js'
import { sandboxNotes } from '../tools/sandbox-notes.js'

/** A line for each; none while it runs. */
export function jobNotes(read: JobOutput): string[] {
  const { status, binary, error } = read
  if (status === 'running') return []
  const end =
    status === 'timed_out' ? ['[timed out]'] : status === 'lost' ? ['[how it ended is not known]'] : []
  return [
    ...(binary ? [binaryNotice] : []),
    ...sandboxNotes(read),
    ...end,
    ...(error ? [`[${error.message}]`] : []),
  ]
}
