// What the model reads of a background command, or of all of them.

import { listeningText } from '../../commands/jobs/listening/socket.js'
import { formatAge } from '../../processes/output/age.js'
import { withoutImitations } from '../../processes/output/notices.js'
import { oneLine } from '../../processes/output/simplify-command.js'
import { waitingLine } from '../../terminals/explain/waiting-for.js'
import { binaryNote, heldText, joinLines, shownOutput } from '../bash-text.js'
import { sandboxNotes } from '../sandbox-notes.js'
import { terminalLines } from '../tty/state-line.js'
import type { BashOutputResult } from './bash-output-result.js'
import type { ListedJob } from './job-list.js'
import { errorText } from './job-tool.js'

export function bashOutputText(result: BashOutputResult): string {
  if (result.status === 'error') return errorText(result.error)
  if (result.status === 'listed') return listText(result)
  const { error, waitingFor } = result
  const parts = [`[${describeStatus(result)}]`, withoutImitations(shownOutput(result), result.truncated)]
  parts.push(binaryNote(result))
  parts.push(wait(result))
  parts.push(listeningText(result.listening))
  parts.push(heldText(result))
  parts.push(...whereToGoOn(result))
  parts.push(...sandboxNotes(result))
  if (error !== undefined) parts.push(`[${error.message}]`)
  if (waitingFor !== undefined) {
    parts.push(`[nothing printed since the last read: ${waitingLine(waitingFor)}]`)
  }
  parts.push(...terminalLines(result))
  return joinLines(...parts)
}

function wait({ status, waitedMs, matched }: BashOutputResult): string {
  if (waitedMs === undefined) return ''
  if (typeof matched === 'string') return `[until has matched: ${oneLine(matched)}]`
  const missing = matched === null ? 'no line has matched until' : ''
  if (status !== 'running') return missing === '' ? '' : `[${missing}]`
  return `[waited ${(waitedMs / 1000).toFixed(1)}s: ${missing === '' ? 'it has not ended' : missing}]`
}

/** Where the rest is: of what was printed, and of what is still to come. */
function whereToGoOn({ status, truncated, unsearchedBytes, nextOffset }: BashOutputResult): string[] {
  const lines: string[] = []
  if (truncated) lines.push(`[to read what was left out: a filter, or an offset below ${nextOffset}]`)
  if (unsearchedBytes > 0) lines.push(`[the filter ran out of time; go on with offset ${nextOffset}]`)
  else if (status === 'running' && nextOffset > 0) lines.push(`[to read what follows: offset ${nextOffset}]`)
  return lines
}

export function describeStatus({
  status,
  exitCode,
  signal,
}: Pick<BashOutputResult, 'exitCode' | 'signal'> & { status: string }): string {
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

/** Characters of a command and of a line that are shown of each. */
const shownChars = 200

function listText({ jobs = [], moreJobs = 0 }: BashOutputResult): string {
  if (jobs.length === 0) return '[no background commands]'
  const now = Date.now()
  const lines = jobs.flatMap((job) => [headline(job, now), ...notes(job).map((note) => `  ${note}`)])
  if (moreJobs > 0) lines.push(`[and ${moreJobs} more]`)
  return lines.join('\n')
}

function headline(job: ListedJob, now: number): string {
  const { id, startedAt, endedAt, command } = job
  const since = (time: number | null) => (time === null ? '' : formatAge(now - time))
  const age = endedAt === null ? ` for ${since(startedAt)}` : `, ended ${since(endedAt)} ago`
  return `${id} [${describeStatus(job)}${age}] ${shorten(command)}`
}

function notes({ listening, lastLine }: ListedJob): string[] {
  const ports = listeningText(listening)
  return [...(ports === '' ? [] : [ports]), ...(lastLine === '' ? [] : [`last line: ${shorten(lastLine)}`])]
}

function shorten(text: string): string {
  const line = oneLine(text)
  return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line
}
