// Watching for what becomes of jobs: their ends come from ended/, whoever's supervisor has put them there.

import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onAbort } from '../../../base/util/listeners.js'
import { watchPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { checkJobsDirectory, isJobId, isThere } from '../directory.js'
import { inspectJob } from '../inspect.js'
import { jobNotFound } from '../not-found.js'
import { isUnlisted } from '../remove.js'
import { waitForEnd } from '../wait.js'
import { conversationKey } from './brief.js'
import { Consumer, entriesOf, isWanted, type Scope } from './consumer.js'
import { Doorbell } from './doorbell.js'
import { endedJob } from './end-event.js'
import { readEndRecord } from './end-record.js'
import type { JobEvent } from './event.js'
import { endedAtOf, maxUnacknowledged } from './retention.js'
import { RunningJobs } from './running-jobs.js'
import type { CheckedWatch } from './watch-options.js'

/** Then the event loop has its turn, milliseconds. */
const longestTurnMs = 5
/** Between two looks at the directories while very much happens, milliseconds. */
const pauseMs = 20

type Build = () => Promise<JobEvent | undefined>

/** Ends when its signal is aborted, with `return()`, or with the end of the one job that it watches. */
export class JobWatch implements AsyncIterableIterator<JobEvent> {
  readonly #root: string
  readonly #options: CheckedWatch
  readonly #scope: Scope
  /** With the job whose end it is. */
  readonly #queue: { build: Build; endOf?: string }[] = []
  /** Ends that were seen, whether they are wanted or not; of ids that are still there. */
  #known: Set<string>
  #missed = 0
  #consumer: Consumer | undefined
  #doorbell: Doorbell | undefined
  #running: RunningJobs | undefined
  readonly #stop = new AbortController()
  #pause: NodeJS.Timeout | undefined
  #isLooking = false
  #hasRung = false
  #isStarted = false
  #isClosed = false
  #failure: { error: unknown } | undefined
  #wake: () => void = () => {}
  #turn: Promise<unknown> = Promise.resolve()
  #release = () => {}

  constructor(root: string, options: CheckedWatch) {
    this.#root = root
    this.#options = options
    const { conversationId, jobId, consumer } = options
    this.#scope = { conversation: conversationKey(conversationId ?? null), jobId: jobId ?? null }
    // From now on, and not from the first time that somebody asks.
    const tellsAll = consumer !== undefined || jobId !== undefined
    this.#known = new Set(tellsAll ? [] : entriesOf(watchPaths(root).ended))
  }

  /** Whether it has to look at the directories now and then, since nothing tells of their changes here. */
  get isPolling(): boolean {
    return this.#doorbell?.isPolling ?? false
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** @throws {BashError} (rejects) ERR_CONSUMER_BUSY, ERR_JOB_NOT_FOUND, ERR_JOB_DIRECTORY, ERR_UNSUPPORTED_PLATFORM */
  next(): Promise<IteratorResult<JobEvent, undefined>> {
    const next = this.#turn.then(() => this.#next())
    this.#turn = next.catch(() => {})
    return next
  }

  async return(): Promise<IteratorResult<JobEvent, undefined>> {
    this.#close()
    return { done: true, value: undefined }
  }

  async #next(): Promise<IteratorResult<JobEvent, undefined>> {
    try {
      if (!this.#isStarted && !this.#isClosed) await this.#start()
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure.error
        if (this.#isClosed) return { done: true, value: undefined }
        const value = await this.#nextEvent()
        // What was put together while somebody ended this is told the next time.
        if (this.#isClosed) return { done: true, value: undefined }
        if (value === undefined) continue
        if (value.type === 'end' && this.#scope.jobId !== null) this.#close()
        return { done: false, value }
      }
    } catch (error) {
      this.#close()
      this.#failure = undefined
      throw error
    }
  }

  async #nextEvent(): Promise<JobEvent | undefined> {
    if (this.#missed > 0) return this.#overflow()
    const next = this.#queue.shift()
    if (next !== undefined) return await next.build()
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return undefined
  }

  async #start(): Promise<void> {
    this.#isStarted = true
    const { consumer, jobId, signal } = this.#options
    this.#release = onAbort(signal, () => this.#close())
    if (this.#isClosed) return
    if (jobId !== undefined) await this.#checkJob(jobId)
    checkJobsDirectory(this.#root)
    if (consumer !== undefined) {
      const opened = await Consumer.open(this.#root, consumer, this.#scope)
      if (this.#isClosed) return opened.close()
      this.#consumer = opened
      this.#missed = opened.missed
      // Nothing more will be told of it.
      if (jobId !== undefined && opened.hasAcknowledged(jobId)) return this.#close()
    }
    this.#doorbell = new Doorbell(watchPaths(this.#root), () => this.#ring())
    this.#running = new RunningJobs(this.#root, this.#scope, this.#options, {
      tell: (build) => this.#tell({ build }),
      fail: (error) => this.#fail(error),
    })
    await this.#look()
    if (jobId !== undefined) this.#waitForOlder(jobId).catch((error: unknown) => this.#fail(error))
  }

  async #checkJob(id: string): Promise<void> {
    if (!checkJobsDirectory(this.#root) || !isJobId(id)) throw await jobNotFound(this.#root, id)
    if (inspectJob(this.#root, id) === undefined && !this.#hasRecord(id))
      throw await jobNotFound(this.#root, id)
  }

  #hasRecord(id: string): boolean {
    const { running, ended } = watchPaths(this.#root)
    return [ended, running, ended].some((directory) => isThere(join(directory, id)))
  }

  /** Nobody tells of a job that an earlier version has started. */
  async #waitForOlder(id: string): Promise<void> {
    if (this.#hasRecord(id) || this.#consumer?.hasAcknowledged(id) === true) return
    const { signal } = this.#stop
    const look = async () => {
      const job = inspectJob(this.#root, id)
      if (job === undefined) throw await jobNotFound(this.#root, id)
      return job
    }
    try {
      await waitForEnd(this.#root, look, { signal })
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    if (!this.#known.has(id)) this.#tell({ build: () => this.#end(id), endOf: id })
  }

  #ring(): void {
    if (this.#isClosed) return
    this.#hasRung = true
    if (this.#isLooking || this.#pause !== undefined) return
    this.#look().catch((error: unknown) => this.#fail(error))
  }

  /** However many rings there were, one look; and then none for a moment. */
  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      this.#hasRung = false
      this.#doorbell?.check()
      this.#consumer?.check()
      // First those that run: one that ends meanwhile is among the others then.
      this.#running?.look()
      await this.#lookAtEnds()
    } finally {
      this.#isLooking = false
    }
    if (this.#isClosed) return
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      if (this.#hasRung) this.#ring()
    }, pauseMs)
  }

  async #lookAtEnds(): Promise<void> {
    const { ended } = watchPaths(this.#root)
    const ids = new Set(entriesOf(ended).filter(isJobId))
    for (const id of this.#known) if (!ids.has(id)) this.#known.delete(id)
    const fresh = [...ids].filter((id) => !this.#known.has(id))
    if (fresh.length === 0) return
    const acknowledged = this.#consumer?.acknowledged()
    const found: { id: string; endedAt: number }[] = []
    let since = performance.now()
    for (const id of fresh) {
      if (acknowledged?.has(id) !== true) {
        const parsed = readEndRecord(join(ended, id))
        const record = parsed?.value
        const isOurs = parsed !== undefined && (record === undefined || isWanted(this.#scope, record))
        if (isOurs) found.push({ id, endedAt: endedAtOf(record) })
      }
      if (performance.now() - since < longestTurnMs) continue
      await nextTurn()
      since = performance.now()
    }
    // A look that fails on its way has told of none of them.
    for (const id of fresh) this.#known.add(id)
    found.sort((a, b) => a.endedAt - b.endedAt)
    for (const { id } of found) this.#tell({ build: () => this.#end(id), endOf: id })
    this.#dropOldest()
  }

  async #end(id: string): Promise<JobEvent | undefined> {
    const consumer = this.#consumer
    // By an event of an earlier watch.
    if (consumer?.hasAcknowledged(id) === true) return undefined
    if (isUnlisted(this.#root, id)) {
      consumer?.acknowledge(id)
      return undefined
    }
    const match = await this.#running?.lastMatch(id)
    if (match !== undefined) {
      this.#queue.unshift({ build: () => this.#end(id), endOf: id })
      return match
    }
    const found = await endedJob(this.#root, id, this.#options.redact)
    if (found === undefined) return undefined
    return { type: 'end', ...found, acknowledge: async () => consumer?.acknowledge(id) }
  }

  #tell(entry: { build: Build; endOf?: string }): void {
    if (this.#isClosed) return
    this.#queue.push(entry)
    this.#wake()
  }

  /** Memory and disk stay bounded, whatever nobody reads. */
  #dropOldest(): void {
    const surplus = this.#queue.length - maxUnacknowledged
    if (surplus <= 0) return
    const dropped = this.#queue.splice(0, surplus).flatMap(({ endOf = [] }) => endOf)
    this.#missed += dropped.length
    // First that they are missed: should this process die here, that is told, and some of them are as well.
    this.#consumer?.miss(dropped.length)
    for (const id of dropped) this.#consumer?.acknowledge(id)
  }

  #overflow(): JobEvent {
    const missed = this.#missed
    this.#missed = 0
    const consumer = this.#consumer
    return { type: 'overflow', missed, acknowledge: async () => consumer?.acknowledgeMissed() }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return
    this.#failure = { error }
    this.#wake()
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#release()
    this.#stop.abort()
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#doorbell?.close()
    this.#running?.close()
    this.#consumer?.close()
    this.#queue.length = 0
    this.#wake()
  }
}
