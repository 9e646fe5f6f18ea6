// The command that the text about a job names, `kill -9 -PGID`, carried out by the job store: in Restricted mode a command
// cannot signal the jobs of earlier ones, and what a foreground command has left is in any group.

import { BashError } from '../../base/errors.js'
import { part } from '../../base/util/load-part.js'
import { isElsewhere } from '../../base/util/process-identity.js'
import type { Job } from './job.js'
import type * as Operations from './operations.js'
import type { JobRecord } from './record.js'
import type { JobStore } from './store.js'

export interface KillCommand {
  /** Above 1. */
  pgid: number
  /** One that ends processes, such as `'SIGKILL'`. */
  signal: string
}

/** The signals that end a process which does nothing about them, by their numbers. The others do something else. */
const signals: readonly [name: string, number: string][] = [
  ['HUP', '1'],
  ['INT', '2'],
  ['QUIT', '3'],
  ['KILL', '9'],
  ['TERM', '15'],
]

const maxSignal = 64

/** Characters. For millions of blanks to go back over, a pattern needs more stack than V8 always has: a RangeError. */
const maxLength = 1000

/** Linux has no process beyond 4194304 (proc_sys_kernel(5)). The shell's words end at blanks; a line break ends a command. */
const pattern = /^\s*kill(?:[ \t]+(?:-|-s[ \t]+)(\w{1,7}))?([ \t]+--)?[ \t]+-([1-9]\d{0,6})\s*$/

/**
 * Parses a command that is exactly `kill [-SIGNAL] [--] -PGID`, where `-s SIGNAL` is right as well, a signal may be
 * written as bash does it (`9`, `KILL`, `SIGKILL`, `kill`), and none is SIGTERM.
 *
 * @returns undefined for any other command, also for one that bash would take for the same, or of over 1000 characters
 */
export function parseKillCommand(command: string): KillCommand | undefined {
  if (command.length > maxLength) return undefined
  const [, signalText, dashes, pgidText] = pattern.exec(command) ?? []
  const pgid = Number(pgidText)
  if (pgidText === undefined || pgid <= 1) return undefined
  // `kill -9` is a signal without a target.
  if (signalText === undefined && dashes === undefined && pgid <= maxSignal) return undefined
  const name = (signalText ?? 'TERM').toUpperCase().replace(/^SIG/, '')
  const signal = signals.find((spellings) => spellings.includes(name))
  return signal === undefined ? undefined : { pgid, signal: `SIG${signal[0]}` }
}

/**
 * Kills the running job of this conversation that has this process group, with everything it has started. Which signal
 * it is does not matter: the store sends SIGTERM, and SIGKILL to what does not heed it.
 *
 * @param conversationId of the call; without one, the jobs that this process has started without one
 * @param which `'adopted'`: only what a foreground command has left
 * @returns what the command's output is to say; undefined when there is no such job, or it has ended meanwhile
 * @throws {BashError} ERR_JOB_NOT_KILLED; ERR_JOB_DIRECTORY
 */
export async function killJobOfConversation(
  getStore: () => JobStore,
  conversationId: string | undefined,
  { pgid }: KillCommand,
  which: 'any' | 'adopted' = 'any',
): Promise<string | undefined> {
  const store = attempt(getStore)
  if (store === undefined) return undefined
  const isMeant = ({ status, record }: Job) =>
    status === 'running' &&
    record?.pgid === pgid &&
    !isElsewhere(record) &&
    (which === 'any' || record.adopted) &&
    belongsTo(record, conversationId)
  let job: Job | undefined
  for await (const { job: each, failure } of operations().inspectJobs(store.directory)) {
    if (failure !== undefined) throw failure
    if (job === undefined && each !== undefined && isMeant(each)) job = each
  }
  if (job === undefined) return undefined
  const { status, error } = await store.kill(job.id)
  if (status === 'error') {
    throw new BashError(error?.code ?? 'ERR_JOB_NOT_KILLED', error?.message ?? `${job.id} cannot be killed`)
  }
  if (status === 'not_running') return undefined
  return `[job ${job.id} (process group ${pgid}) was killed by the job store]`
}

const operations = part((): typeof Operations => require('./operations.js'))

/** Who has no home directory has no jobs either. */
function attempt(getStore: () => JobStore): JobStore | undefined {
  try {
    return getStore()
  } catch {
    return undefined
  }
}

// Which jobs a conversation may end in Restricted mode: its own. What a command cannot do to the processes of others, no
// tool does for it.
const maxOwnJobs = 10_000
const ownJobs = new Set<string>()

/** Notes a job that this process has started. Of very many the oldest are forgotten. */
export function noteOwnJob(id: string): void {
  ownJobs.add(id)
  const [oldest] = ownJobs
  if (ownJobs.size > maxOwnJobs && oldest !== undefined) ownJobs.delete(oldest)
}

/**
 * @param conversationId of the call; without one, the jobs are meant that this process has started without one
 */
export function belongsTo(
  { id, conversationId: owner }: Pick<JobRecord, 'id' | 'conversationId'>,
  conversationId: string | undefined,
): boolean {
  return conversationId === undefined ? owner === null && ownJobs.has(id) : owner === conversationId
}
