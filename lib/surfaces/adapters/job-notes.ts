// What comes after the output of a job, for readers who are shown a status of its own.

import type { JobOutput } from '../../commands/jobs/read.js'
import { binaryNote, heldText } from '../../tools/bash-text.js'
import { sandboxNotes } from '../../tools/sandbox-notes.js'

/** A line for each; while it runs, only of what is held back. */
export function jobNotes(read: JobOutput): string[] {
  const { status, error } = read
  if (status === 'running') return read.heldBytes === undefined ? [] : [heldText(read)]
  const end =
    status === 'timed_out' ? ['[timed out]'] : status === 'lost' ? ['[how it ended is not known]'] : []
  return [
    ...(read.binary ? [binaryNote(read)] : []),
    ...sandboxNotes(read),
    ...end,
    ...(error ? [`[${error.message}]`] : []),
  ]
}
