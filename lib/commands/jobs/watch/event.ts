// What is told of a job, and the sentence for the model that goes with it.

import { withoutImitations } from '../../../processes/output/notices.js'
import type { Job } from '../job.js'
import { type ListeningSocket, socketName } from '../listening/socket.js'

interface EventOfJob {
  job: Job
  /** The beginning of its command, without secrets. */
  command: string
  /**
   * Notes that this was taken care of: it is not told again to its consumer. May be called at any time, and more than
   * once. Without a consumer, and of what is not an end, there is nothing to note.
   *
   * Rejects with ERR_JOB_DIRECTORY when that cannot be written, on a full disk say: it is told again then.
   */
  acknowledge(): Promise<void>
}

/** A job has ended, or is lost. */
export interface JobEndEvent extends EventOfJob {
  type: 'end'
  /** Milliseconds from its start; null when that is not known, as of a job that is lost. */
  durationMs: number | null
  /** The last lines that it has printed, without secrets; 10 at most, and 2000 characters. */
  lines: string[]
}

/** Lines that `match` was waiting for. */
export interface JobMatchEvent extends EventOfJob {
  type: 'match'
  /** Without secrets; of more than 20 that came at once, or of 10,000 characters, the first and the last. */
  lines: string[]
}

/** A process of the job listens on a port since the last time. */
export interface JobListeningEvent extends EventOfJob {
  type: 'listening'
  /** All on which it listens. */
  ports: readonly ListeningSocket[]
}

/** A job has printed nothing for as long as `quietAfterMs` says. Told again once it has printed something. */
export interface JobQuietEvent extends EventOfJob {
  type: 'quiet'
  /** Milliseconds. */
  quietMs: number
  /** As those of an end. */
  lines: string[]
}

/** More ends came than are kept for a consumer that does not acknowledge or read them. */
export interface JobOverflowEvent {
  type: 'overflow'
  /** Ends that are not told, at least. */
  missed: number
  acknowledge(): Promise<void>
}

export type JobEvent = JobEndEvent | JobMatchEvent | JobListeningEvent | JobQuietEvent | JobOverflowEvent

/** What a model reads of an event: `[job bash_k3v9x2 ended: exit code 1 after 3m 12s; last lines: …]`. */
export function eventText(event: JobEvent): string {
  switch (event.type) {
    case 'overflow':
      return `[at least ${event.missed} more background jobs have ended; they are not listed here]`
    case 'end':
      return `[job ${event.job.id} ended: ${howItEnded(event)}; ${lastLines(event.lines)}]`
    case 'match':
      return `[job ${event.job.id} has printed:${textOf(event.lines)}]`
    case 'listening':
      return `[job ${event.job.id} listens on ${event.ports.map(socketName).join(', ')}]`
    case 'quiet': {
      const time = formatDuration(event.quietMs)
      return `[job ${event.job.id} is still running, but has printed nothing for ${time}; ${lastLines(event.lines)}]`
    }
  }
}

function howItEnded({ job: { status, exitCode, signal }, durationMs }: JobEndEvent): string {
  const after = durationMs === null ? '' : ` after ${formatDuration(durationMs)}`
  switch (status) {
    case 'killed':
      return `killed by ${signal ?? 'a signal'}${after}`
    case 'timed_out':
      return `killed, as its time was up${after}`
    case 'lost':
      return 'nobody knows how, because its supervisor was killed or the machine went down'
    default:
      return `exit code ${exitCode}${after}`
  }
}

const lastLines = (lines: readonly string[]): string =>
  lines.length === 0 ? 'it has printed nothing' : `last lines:${textOf(lines)}`

/** What some readers take for the end of a line. */
const otherBreaks = /[\v\f\x85\u2028\u2029]/g

const textOf = (lines: readonly string[]): string =>
  lines.length === 1
    ? ` ${lines[0]?.replace(otherBreaks, ' ')}`
    : `\n${lines.map((line) => withoutImitations(line)).join('\n')}`

/** `0.4s`, `12s`, `3m 12s`, `2h 5m`, `1d 3h`. */
export function formatDuration(milliseconds: number): string {
  // The clock may have been set back.
  const ms = Math.max(0, milliseconds)
  if (ms < 10_000) return `${Math.round(ms / 100) / 10}s`
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}
