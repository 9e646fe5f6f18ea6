// The background commands of a conversation, each with what tells it from the others.

import type { Job } from '../../commands/jobs/job.js'
import { belongsTo } from '../../commands/jobs/kill-command.js'
import type { ListeningSocket } from '../../commands/jobs/listening/socket.js'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import { shownCommand } from '../../commands/jobs/watch/end-event.js'

/** A background command in a list. */
export interface ListedJob extends Pick<Job, 'id' | 'status' | 'exitCode' | 'signal' | 'endedAt'> {
  /** Without secrets, as what it has printed. */
  command: string
  /** Milliseconds since the epoch. */
  startedAt: number
  /** Where its processes listen on TCP, while it runs; none: nowhere. */
  listening?: readonly ListeningSocket[]
  /** The last line of its output that is not empty. */
  lastLine: string
}

const maxListed = 20
/** An output may end with empty lines. */
const tailLines = 5
const tailChars = 4000

/**
 * @param conversationId without one, the commands are meant that this process has started without one
 * @throws {BashError} ERR_JOB_DIRECTORY
 */
export async function listJobs(
  store: JobStore,
  conversationId: string | undefined,
  redact?: ReadJobOptions['redact'],
): Promise<{ jobs: ListedJob[]; moreJobs?: number }> {
  const own = (await store.list()).filter(
    ({ record }) => record !== null && belongsTo(record, conversationId),
  )
  const running = own.filter(({ status }) => status === 'running').reverse()
  const ended = own.filter(({ status }) => status !== 'running').reverse()
  const shown = [...running, ...ended].slice(0, maxListed)
  const jobs: ListedJob[] = []
  for (const job of shown) jobs.push(await listed(store, job, redact))
  const moreJobs = own.length - shown.length
  return moreJobs > 0 ? { jobs, moreJobs } : { jobs }
}

async function listed(store: JobStore, job: Job, redact?: ReadJobOptions['redact']): Promise<ListedJob> {
  const { id, status, exitCode, signal, endedAt, record, listening } = job
  return {
    id,
    status,
    command: shownCommand(record?.command ?? '', redact),
    startedAt: record?.createdAt ?? 0,
    endedAt,
    exitCode,
    signal,
    ...(listening !== undefined && { listening }),
    lastLine: await lastLineOf(store, id, redact),
  }
}

/** Of what cannot be read, or has been removed meanwhile, there is none. */
async function lastLineOf(store: JobStore, id: string, redact?: ReadJobOptions['redact']): Promise<string> {
  const options = { redact, tailLines, maxChars: tailChars, normalizeOutput: true }
  const { output } = await store.read(id, options).catch(() => ({ output: '' }))
  return output.trimEnd().split('\n').at(-1) ?? ''
}
