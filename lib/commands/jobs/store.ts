// The background jobs of this user, also those of hosts that are gone.

import {
  checkAbortSignal,
  checkAbsolutePath,
  checkInteger,
  checkObject,
  invalidInput,
} from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import { noteStateDirectory } from '../../base/util/state-directories.js'
import { currentEngine } from '../../processes/engine/choose.js'
import type { WaitingFor } from '../../terminals/explain/waiting-for.js'
import type * as JobTerminals from '../../terminals/terminal/job-terminal.js'
import type { JobTerminal } from '../../terminals/terminal/job-terminal.js'
import { checkJobsDirectory, defaultJobsDirectory, isJobId } from './directory.js'
import type { Job } from './job.js'
import type { KillJobResult, SignalProcess } from './kill.js'
import type * as Listening from './listening/listening.js'
import type * as Operations from './operations.js'
import type { JobOutput, ReadJobOptions } from './read.js'
import type { WaitedJob, WaitJobOptions } from './wait.js'
import type { WatchJobsOptions } from './watch/watch-options.js'
import type * as Watching from './watch/watching.js'
import type { JobEvents } from './watch/watching.js'

export interface JobStoreOptions {
  /**
   * An absolute path. Default: `$XDG_STATE_HOME/bashward/jobs`, or `~/.local/state/bashward/jobs`. It must belong to
   * this user and be writable by nobody else.
   */
  directory?: string | undefined
  /** Milliseconds after its end that a job is kept by {@link JobStore.cleanUp}. Default 604,800,000 (7 days). */
  maxAgeMs?: number | undefined
  /** Ended jobs that are kept. Default 200. */
  maxJobs?: number | undefined
}

export interface ListJobsOptions {
  /** Only the jobs of this conversation. */
  conversationId?: string | undefined
}

export interface ExplainJobOptions {
  /** What is taken out of command lines and paths, as {@link ReadJobOptions.redact} takes it out of output. */
  redact?: ReadJobOptions['redact']
}

export interface KillJobOptions {
  /** Milliseconds to wait for the end of everything. 0…600,000, default 15,000. */
  timeoutMs?: number | undefined
}

const waitFields = ['timeoutMs', 'signal', 'until', 'offset', 'redact']
const dayMs = 24 * 60 * 60 * 1000
const maxTimerMs = 2 ** 31 - 1

/** The pid may have come to mean another process. */
export const signalProcess: SignalProcess = (pid, startTime, signal) =>
  currentEngine().signalProcess(pid, startTime, signal)

const operations = part((): typeof Operations => require('./operations.js'))
const watching = part((): typeof Watching => require('./watch/watching.js'))
const jobTerminals = part((): typeof JobTerminals => require('../../terminals/terminal/job-terminal.js'))
const listening = part((): typeof Listening => require('./listening/listening.js'))

/**
 * Finds, reads, waits for, kills and removes background jobs. Their supervisors keep everything in a directory, so any
 * number of stores in any number of hosts see the same jobs. A store holds no state, no descriptor and no timer.
 *
 * Every method rejects with BashError: ERR_JOB_DIRECTORY when the directory cannot be read or trusted, ERR_JOB_NOT_FOUND
 * for an unknown id, ERR_INVALID_INPUT for bad options.
 */
export class JobStore {
  /** Absolute path of the directory of all jobs. It is created with the first job. */
  readonly directory: string
  readonly #maxAgeMs: number
  readonly #maxJobs: number
  readonly #signalProcess: SignalProcess

  /**
   * @param signal how the supervisor of a job is signalled
   * @throws {BashError} ERR_INVALID_INPUT; ERR_JOB_DIRECTORY when there is no home directory
   */
  constructor(options: JobStoreOptions = {}, signal: SignalProcess = signalProcess) {
    const fields = checkObject('options', options, ['directory', 'maxAgeMs', 'maxJobs']) as JobStoreOptions
    const { directory, maxAgeMs = 7 * dayMs, maxJobs = 200 } = fields
    if (directory !== undefined) checkAbsolutePath('options.directory', directory)
    this.directory = directory ?? defaultJobsDirectory()
    noteStateDirectory(this.directory)
    this.#maxAgeMs = checkInteger('options.maxAgeMs', maxAgeMs, [0, Number.MAX_SAFE_INTEGER], 'milliseconds')
    this.#maxJobs = checkInteger('options.maxJobs', maxJobs, [0, 1_000_000])
    this.#signalProcess = signal
  }

  /** All jobs that are known, the oldest first. Jobs with damaged files are `lost`, and belong to no conversation. */
  async list(options: ListJobsOptions = {}): Promise<Job[]> {
    const { conversationId } = checkObject('options', options, ['conversationId'])
    if (conversationId !== undefined && typeof conversationId !== 'string') {
      throw invalidInput('options.conversationId', 'must be a string', conversationId)
    }
    const jobs: Job[] = []
    const { inspectJobs, isUnlisted } = operations()
    for await (const { id, job, failure } of inspectJobs(this.directory)) {
      if (failure !== undefined) throw failure
      if (job === undefined || (job.exit !== null && isUnlisted(this.directory, id))) continue
      if (conversationId === undefined || job.record?.conversationId === conversationId) jobs.push(job)
    }
    let look: Listening.Look | undefined
    for (const job of jobs.filter(({ status }) => status === 'running')) {
      look ??= new (listening().Look)()
      await addListening(job, look)
    }
    return jobs.sort((a, b) => createdAt(a) - createdAt(b))
  }

  /** One job. */
  async get(id: string): Promise<Job> {
    return await addListening(await this.#look(id))
  }

  /**
   * The output of a job: the same for every reader, however often it is read. Memory is bounded, whatever the size of
   * the output; a filter lets the event loop turn after each line that takes long.
   *
   * Also rejects with ERR_INVALID_FILTER.
   */
  async read(id: string, options: ReadJobOptions = {}): Promise<JobOutput> {
    const { checkReadOptions, readOutput } = operations()
    const checked = checkReadOptions(options)
    const job = await this.#look(id)
    try {
      return await readOutput(job, checked)
    } catch (error) {
      // Removed meanwhile: report that.
      await this.#look(id)
      throw error
    }
  }

  /**
   * What the processes of a job are waiting for, or doing: what explains most first. It looks twice, a quarter of a second
   * apart, in a process of its own, and takes some tenths of a second.
   *
   * @returns nothing for a job that has ended; where nothing can be found out, an entry of kind `unknown` that says why
   */
  async explain(id: string, options: ExplainJobOptions = {}): Promise<WaitingFor[]> {
    const { redact } = checkObject('options', options, ['redact']) as ExplainJobOptions
    return operations().explainJob(() => this.#look(id), redact)
  }

  /**
   * Waits until a job has ended or is lost, or a line of its output matches `until`.
   *
   * @returns the job, `running` when the time was up before, or `matched` tells of a line
   */
  async wait(id: string, options: WaitJobOptions = {}): Promise<WaitedJob> {
    const checked = checkObject('options', options, waitFields) as WaitJobOptions
    const { timeoutMs, signal, until } = checked
    if (timeoutMs !== undefined) {
      checkInteger('options.timeoutMs', timeoutMs, [0, maxTimerMs], 'milliseconds')
    }
    checkAbortSignal('options.signal', signal)
    const { LineSearch, waitForEnd } = operations()
    const search = until === undefined ? undefined : new LineSearch(until, checked)
    const isFound = search && ((job: Job, deadline: number) => search.isFound(job, deadline))
    const job = await waitForEnd(this.directory, () => this.#look(id), { timeoutMs, signal }, isFound)
    return search?.line === undefined ? job : { ...job, matched: search.line }
  }

  /**
   * Tells of the ends of jobs, and on request of what else happens to them, until the signal is aborted or the iteration
   * is left. While nobody iterates, nothing is looked at; while nothing happens, neither.
   *
   * The iteration rejects with ERR_CONSUMER_BUSY when another watcher has the name of the consumer, with
   * ERR_INVALID_FILTER, and with ERR_UNSUPPORTED_PLATFORM for a consumer without the native engine.
   */
  watch(options: WatchJobsOptions = {}): JobEvents {
    return watching().watchJobs(this.directory, options)
  }

  /**
   * The terminal of a job that was started with `tty`. It connects when it is used, and says then what is wrong.
   *
   * @throws {BashError} ERR_INVALID_INPUT when that is no id
   */
  open(id: string): JobTerminal {
    if (typeof id !== 'string') throw invalidInput('id', 'must be a string', id)
    const { readLastBytes } = operations()
    return new (jobTerminals().JobTerminal)(async () => {
      const job = await this.#look(id)
      return { ...job, readEnd: (most) => readLastBytes(job, most) }
    })
  }

  /** Kills a job with everything it has started, daemons included, and waits until that is done. */
  async kill(id: string, options: KillJobOptions = {}): Promise<KillJobResult> {
    const { timeoutMs = 15_000 } = checkObject('options', options, ['timeoutMs']) as KillJobOptions
    checkInteger('options.timeoutMs', timeoutMs, [0, 600_000], 'milliseconds')
    return operations().killJob(this.directory, () => this.#look(id), this.#signalProcess, timeoutMs)
  }

  /**
   * Removes ended and lost jobs that are older than `maxAgeMs`, or more than `maxJobs`, with their output; never a
   * running one. Removes old files of `saveOutput`, too, where that has no `directory`. Any number of hosts may do so at
   * once.
   *
   * @returns the ids of the jobs that were removed
   */
  async cleanUp(): Promise<string[]> {
    return operations().cleanUpJobs(this.directory, { maxAgeMs: this.#maxAgeMs, maxJobs: this.#maxJobs })
  }

  async #look(id: string): Promise<Job> {
    if (typeof id !== 'string') throw invalidInput('id', 'must be a string', id)
    const isPossible = checkJobsDirectory(this.directory) && isJobId(id)
    const job = isPossible ? operations().inspectJob(this.directory, id) : undefined
    if (job === undefined) throw await operations().jobNotFound(this.directory, id)
    return job
  }
}

async function addListening(job: Job, look?: Listening.Look): Promise<Job> {
  const supervisor = job.status === 'running' ? operations().supervisorOf(job) : undefined
  if (supervisor === undefined) return job
  const sockets = await listening().listeningOf(supervisor, look)
  if (sockets.length > 0) job.listening = sockets
  return job
}

function createdAt({ record }: Job): number {
  return record?.createdAt ?? 0
}

const cleanUpIntervalMs = 600_000
/** By the directory of jobs. */
const nextCleanUps = new Map<string, number>()

/** Housekeeping every ten minutes at most, which no call waits for and which fails none. */
export function cleanUpNowAndThen(store: JobStore): void {
  const now = performance.now()
  if (now < (nextCleanUps.get(store.directory) ?? 0)) return
  nextCleanUps.set(store.directory, now + cleanUpIntervalMs)
  store.cleanUp().catch(() => {})
}
