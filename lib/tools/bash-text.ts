// What the model reads of a bash result: see docs/tools.md.

import { listeningText } from '../commands/jobs/listening/socket.js'
import type { BashResult, BashStatus, Survivor } from '../commands/run/result.js'
import { limitMessage } from '../guard/sandbox/resource-limits.js'
import { humanizeBytes } from '../processes/output/bytes.js'
import { withoutImitations } from '../processes/output/notices.js'
import { oneLine } from '../processes/output/simplify-command.js'
import { snip, truncationNotice } from '../processes/output/truncate.js'
import { waitingLine } from '../terminals/explain/waiting-for.js'
import { loginNotes } from './login-note.js'
import { sandboxNotes } from './sandbox-notes.js'

export function bashText(result: BashResult): string {
  // Of mostly binary output nothing is shown that could be cut.
  const isCut = result.truncated && (result.readable?.output?.includes(snip) ?? true)
  return resultText(result, isCut ? truncationNotice(result.outputBytes) : '')
}

/**
 * @param notice the line above output that was cut; empty where the output says so itself
 * @param jobLines what the reader can do about a job that the command has become; default: a command that stops it
 * @param stopJob how the reader ends a job with all its processes; default: a command that the tool carries out
 */
export function resultText(
  result: BashResult,
  notice: string,
  stopJob?: (id: string) => string,
  jobLines?: readonly string[],
): string {
  const { status, output } = result
  const isSilent = output === '' && status === 'completed' && !result.outputLost
  const body = joinLines(isSilent ? '[no output]' : '', resultBody(result, notice, stopJob))
  if (result.backgroundAfterMs !== undefined) {
    const own = [`<reminder>To stop: kill -9 -${result.pgid}</reminder>`]
    const lines = handedOverLines(result, jobLines ?? own)
    return joinLines(lines, output === '' ? '[none]' : '', body)
  }
  const first = headline(result)
  // The line of a command that ran is always ended: its output follows, also when that is empty.
  return ranToAnEnd.has(status) ? `${first}\n${body}` : joinLines(first, body)
}

/** The output, and what is to be known besides; not how the command ended. */
export function resultBody(result: BashResult, notice = '', stopJob?: (id: string) => string): string {
  const { status, sessionUnsaved } = result
  const output = withoutImitations(shownOutput(result), result.truncated)
  const lastLines = [
    ...commandNotes(result),
    result.outputLost && status !== 'error' ? outputLost : '',
    binaryNote(result),
    savedOutput(result),
    survivors(result, stopJob),
    listeningText(result.listening),
    becameJob(result),
    stayedHere(result),
    fullScratch(result),
    sessionUnsaved === undefined ? '' : sessionNote(sessionUnsaved),
    ...loginNotes(result),
    ...sandboxNotes(result),
    waitingNote(result),
    ...(result.news ?? []),
  ]
  return joinLines(notice, output, ...lastLines)
}

/** What is to be known of the characters of the command. */
export const commandNotes = ({ commandNotes: notes = [] }: BashResult): string[] =>
  notes.map((note) => `[${note}]`)

/** Why a call has left nothing to its session. */
export const sessionNote = (unsaved: string): string => `[session state not saved: ${unsaved}]`

/** The first lines about a command that goes on as a job: nobody is to take what it has printed so far for all. */
function handedOverLines(
  { backgroundAfterMs = 0, jobId, pid, outputFile }: BashResult,
  jobLines: readonly string[],
): string {
  return [
    `[STILL RUNNING after ${seconds(backgroundAfterMs)}: the command has NOT finished. It goes on as background job ${jobId}. Do not run it again]`,
    `<pid>${pid}</pid>`,
    `<output_file>${outputFile}</output_file>`,
    ...jobLines,
    'Output so far:',
  ].join('\n')
}

/** The last lines of a text say it of output with bytes that are no text. */
export const binaryNotice =
  '[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400; for its bytes: | xxd or | base64]'

type Printed = Pick<BashResult, 'output' | 'binary' | 'readable'>

/** What a reader sees of an output. */
export const shownOutput = ({ output, readable }: Printed): string => readable?.output ?? output

/** The line about output that is no text; else none. */
export function binaryNote({ binary, readable }: Printed): string {
  if (!binary) return ''
  return readable === undefined ? binaryNotice : `[output is not text: ${readable.note}]`
}

/** Of output that ends, for now, before its end. */
export function heldText({ heldBytes }: { heldBytes?: number | undefined }): string {
  if (heldBytes === undefined) return ''
  const bytes = heldBytes === 1 ? 'byte is' : `${heldBytes} bytes are`
  return `[the last ${bytes} held back until it is known whether a withheld value begins there]`
}

const ranToAnEnd: ReadonlySet<BashStatus> = new Set(['failed', 'timed_out', 'cancelled'])

/** Of a command that ran before, and does not run again. */
export const outputLost = '[it has run; what it printed was not kept]'

function headline(result: BashResult): string {
  switch (result.status) {
    case 'completed':
      return ''
    case 'failed':
      return `[command failed: ${failure(result)}]${answer(result)}`
    case 'timed_out':
      // Of a call that was sent again, the time may not be known.
      return result.timeoutMs === undefined
        ? '[command timed out]'
        : `[command timed out after ${seconds(result.timeoutMs)}]`
    case 'cancelled':
      return '[command cancelled]'
    case 'rejected':
      return refusal(result)
    case 'background':
      return [
        `<pid>${result.pid}</pid>`,
        `<output_file>${result.outputFile}</output_file>`,
        `<reminder>To stop: kill -9 -${result.pgid}</reminder>`,
      ].join('\n')
    case 'invalid':
      return `[invalid input: ${result.error?.message}]`
    case 'error':
      return result.error?.code === 'ERR_SANDBOX_UNAVAILABLE'
        ? `[sandbox unavailable: ${result.error.message}]`
        : `[system error: ${result.error?.message}]`
  }
}

const answer = ({ answerText }: BashResult): string => (answerText === undefined ? '' : `\n[${answerText}]`)

/** The text for a command that a safety rule has refused. */
export function rejectionText(rule: string, message: string): string {
  return `[command rejected: ${rule}] ${message}`
}

function refusal({ rejection, error }: BashResult): string {
  const message = error?.message ?? ''
  const why = rejection?.why
  return why === undefined
    ? rejectionText(rejection?.rule ?? '', message)
    : `[needs approval: ${why}] ${message}`
}

function failure(result: BashResult): string {
  const { exitCode, signal, limit } = result
  const reached = limitMessage(result)
  if (reached === undefined) return signal === null ? `exit code ${exitCode}` : `killed by ${signal}`
  // At these two a program goes on to its own end.
  const goesOn = limit === 'memory' || limit === 'processes'
  return goesOn && exitCode !== null ? `exit code ${exitCode}, ${reached}` : reached
}

/** Last, where a reader looks for what to do next. */
function waitingNote({ waitingFor = [] }: BashResult): string {
  return waitingFor.length === 0 ? '' : `[when it timed out: ${waitingLine(waitingFor)}]`
}

/** Where it did not end bash it ended what bash had left. */
function fullScratch(result: BashResult): string {
  if (result.limit !== 'scratch' || result.status === 'failed') return ''
  return `[${limitMessage(result)}: what still ran was killed]`
}

function savedOutput({
  savedOutput,
  savedOutputBytes = 0,
  savedOutputError,
  outputBytes,
}: BashResult): string {
  if (savedOutput === undefined) {
    return savedOutputError === undefined ? '' : `[output not saved: ${savedOutputError}]`
  }
  const part = savedOutputBytes < outputBytes ? `first ${humanizeBytes(savedOutputBytes)} of the` : 'whole'
  const reason = savedOutputError === undefined ? '' : `; ${savedOutputError}`
  return `[${part} output saved: ${savedOutput}${reason}]`
}

/** It was cancelled, or timed out, at the moment when it was handed over. */
function becameJob({ status, jobId, outputFile }: BashResult): string {
  if (jobId === undefined || (status !== 'timed_out' && status !== 'cancelled')) return ''
  return `[it had become background job ${jobId} before it was killed: all that it printed is in ${outputFile}]`
}

function stayedHere({ backgroundError }: BashResult): string {
  return backgroundError === undefined ? '' : `[did not go on in the background: ${backgroundError}]`
}

/** A daemon is named too: a server that nobody knows of keeps its port. Its output goes where it sends it itself. */
function survivors(result: BashResult, stopJob?: (id: string) => string): string {
  const { jobId, outputFile, survivors: listed } = result
  if (listed.length === 0) return ''
  const processes = listed.map(({ pid, command, daemon }) => {
    return `${pid} (${daemon ? 'daemon: ' : ''}${oneLine(command)})`
  })
  const job = jobId === undefined ? '' : ` as job ${jobId}`
  const prints = outputFile !== undefined && listed.some(({ daemon }) => !daemon)
  const file = prints ? `; output goes on in ${outputFile}` : ''
  const command = jobId !== undefined && stopJob ? stopJob(jobId) : stopCommand(result, listed)
  return `[still running${job}: ${processes.join(', ')}${file}${command === '' ? '' : `; to stop: ${command}`}]`
}

/**
 * Of a job the command that the tool has its store carry out, in every mode: it ends all groups and sessions of the job,
 * and holds when the processes that are listed have long given way to others.
 */
function stopCommand({ sandbox, jobId, pgid }: BashResult, listed: readonly Survivor[]): string {
  if (jobId !== undefined && pgid !== undefined) return `kill -9 -${pgid}`
  // A command that is confined signals none of them.
  if (sandbox !== 'unrestricted') return ''
  // bash itself has ended: its number stands for what is left of its group, where /proc does not show more.
  const targets = listed.map(({ pid }) => (pid === pgid ? -pid : pid))
  return `kill ${listed.some(({ pid }) => pid === pgid) ? '-- ' : ''}${targets.join(' ')}`
}

/** A line break between two parts unless there is one, and none at the end that the output does not have. */
export function joinLines(...parts: string[]): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => (text === '' || text.endsWith('\n') ? text + part : `${text}\n${part}`), '')
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000}s`
}
