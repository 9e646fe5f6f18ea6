// BashOutput: what a background command has printed so far.

import { type ListeningSocket, listeningText } from '../../jobs/listening/socket.js'
import type { JobOutput } from '../../jobs/read.js'
import type { JobStore } from '../../jobs/store.js'
import { suiteMaxCharacters } from '../../output/profile.js'
import { binaryNotice, joinLines } from '../bash-text.js'
import { sandboxNotes } from '../sandbox-notes.js'
import type { Tool } from '../types.js'
import { errorText, jobTool } from './job-tool.js'
import { type BashOutputInput, bashOutputSchema } from './schemas.js'

/** The accumulated output, the same for every reader. */
export interface BashOutputResult extends Omit<JobOutput, 'status'> {
  /** `'error'`: there is no such job, or it cannot be read; `error` says why. */
  status: JobOutput['status'] | 'error'
  /** Where the processes of a job that runs listen on TCP; none: nowhere. */
  listening?: readonly ListeningSocket[]
}

export type BashOutputTool = Tool<BashOutputInput, BashOutputResult>

export function createBashOutputTool(store: () => JobStore): BashOutputTool {
  return jobTool({
    name: 'BashOutput',
    schema: bashOutputSchema,
    description:
      'Returns the output of a background command that was started with run_in_background, from its beginning or ' +
      'from an offset, with its status.',
    call: async ({ bash_id: id, filter, offset }, { cancel: signal }) => {
      const jobs = store()
      const options = { filter, offset, signal, maxChars: suiteMaxCharacters, normalizeOutput: true }
      const read = await jobs.read(id, options)
      // It may have been removed meanwhile.
      const job = read.status === 'running' ? await jobs.get(id).catch(() => undefined) : undefined
      const listening = job?.listening
      return listening === undefined ? read : { ...read, listening }
    },
    failure: (error) => ({
      status: 'error',
      output: '',
      truncated: false,
      binary: false,
      exitCode: null,
      signal: null,
      outputBytes: 0,
      nextOffset: 0,
      droppedBytes: 0,
      unsearchedBytes: 0,
      error,
    }),
    toText,
  })
}

function toText(result: BashOutputResult): string {
  if (result.status === 'error') return errorText(result.error)
  const { output, binary, error } = result
  const parts = [`[${describeStatus(result)}]`, output]
  if (binary) parts.push(binaryNotice)
  parts.push(listeningText(result.listening))
  parts.push(...whereToGoOn(result))
  parts.push(...sandboxNotes(result))
  if (error !== undefined) parts.push(`[${error.message}]`)
  return joinLines(...parts)
}

/** Where the rest is: of what was printed, and of what is still to come. */
function whereToGoOn({ status, truncated, unsearchedBytes, nextOffset }: BashOutputResult): string[] {
  const lines: string[] = []
  if (truncated) lines.push(`[to read what was left out: a filter, or an offset below ${nextOffset}]`)
  if (unsearchedBytes > 0) lines.push(`[the filter ran out of time; go on with offset ${nextOffset}]`)
  else if (status === 'running' && nextOffset > 0) lines.push(`[to read what follows: offset ${nextOffset}]`)
  return lines
}

function describeStatus({ status, exitCode, signal }: BashOutputResult): string {
  switch (status) {
    case 'failed':
      return `failed: exit code ${exitCode}`
    case 'killed':
      return signal === null ? 'killed' : `killed: ${signal}`
    case 'timed_out':
      return 'timed out'
    default:
      return status
  }
}
