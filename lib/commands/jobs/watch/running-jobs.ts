// The jobs that run while somebody watches. A supervisor that is killed writes nothing: the kernel tells of it, or they
// are looked at now and then. What else is asked of them, each is followed for.

import { join } from 'node:path'
import { watchPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { isJobId, isThere } from '../directory.js'
import { inspectJob, mayHaveEnded } from '../inspect.js'
import type { Job } from '../job.js'
import { entriesOf, isWanted, type Scope } from './consumer.js'
import { readEndRecord } from './end-record.js'
import type { JobEvent } from './event.js'
import { Follower, type Teller } from './follower.js'
import { settleJob } from './settle.js'
import { awaitSupervisor } from './supervisor-end.js'
import type { CheckedWatch } from './watch-options.js'

/** Between two looks while any run whose supervisor's end nobody would tell, milliseconds. */
const rareLookMs = 2000

interface Running {
  /** Undefined while it starts. */
  job: Job | undefined
  follower: Follower | undefined
  /** Makes an end of waiting for its supervisor; undefined while nobody would tell. */
  forget: (() => void) | undefined
}

export class RunningJobs {
  readonly #root: string
  readonly #scope: Scope
  readonly #options: CheckedWatch
  readonly #teller: Teller
  readonly #running = new Map<string, Running>()
  /** Of ids that run, but are not wanted. */
  #others = new Set<string>()
  /** Whose last lines were looked at. There is only one job when somebody wants lines. */
  readonly #finished = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isOpen = true

  constructor(root: string, scope: Scope, options: CheckedWatch, teller: Teller) {
    this.#root = root
    this.#scope = scope
    this.#options = options
    this.#teller = teller
  }

  /** Finds those that have begun. What is read of them is their own, and not what there ever was. */
  look(): void {
    const { running, ended } = watchPaths(this.#root)
    const ids = new Set(entriesOf(running).filter(isJobId))
    for (const [id, { follower, forget }] of this.#running) {
      if (ids.has(id)) continue
      forget?.()
      // With its end, its last lines are asked for; without one it was removed.
      if (follower !== undefined && isThere(join(ended, id))) continue
      follower?.close()
      this.#running.delete(id)
    }
    this.#others = new Set([...this.#others].filter((id) => ids.has(id)))
    for (const id of ids) {
      if (this.#running.has(id) || this.#others.has(id)) continue
      const parsed = readEndRecord(join(running, id))
      if (parsed === undefined) continue
      if (parsed.value !== undefined && !isWanted(this.#scope, parsed.value)) this.#others.add(id)
      else this.#begin(id)
    }
    this.#arm()
  }

  /** What `match` finds in the last lines of a job that has ended, or in all that nobody has looked at. Asked twice, nothing. */
  async lastMatch(id: string): Promise<JobEvent | undefined> {
    const { follower, forget } = this.#running.get(id) ?? {}
    forget?.()
    this.#running.delete(id)
    if (this.#options.match === undefined || this.#finished.has(id)) {
      follower?.close()
      return undefined
    }
    this.#finished.add(id)
    return await (follower ?? this.#follower(id)).finish()
  }

  close(): void {
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { follower, forget } of this.#running.values()) {
      follower?.close()
      forget?.()
    }
    this.#running.clear()
  }

  #begin(id: string): void {
    const { match, listening, quietAfterMs } = this.#options
    const isFollowed = match !== undefined || listening || quietAfterMs !== undefined
    const follower = isFollowed ? this.#follower(id) : undefined
    this.#running.set(id, { job: undefined, follower, forget: undefined })
    this.#lookAt(id)
    follower?.start()
  }

  #follower(id: string): Follower {
    return new Follower(this.#root, id, this.#options, this.#teller)
  }

  #arm(): void {
    const needsLooks = [...this.#running.values()].some(({ forget }) => forget === undefined)
    if (!this.#isOpen || this.#timer !== undefined || !needsLooks) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      for (const [id, { forget }] of [...this.#running]) if (forget === undefined) this.#lookOrFail(id)
      this.#arm()
    }, rareLookMs)
  }

  #lookOrFail(id: string): void {
    try {
      this.#lookAt(id)
    } catch (error) {
      this.#teller.fail(error)
    }
  }

  /** What has ended is put among the ends, where it is found. */
  #lookAt(id: string): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    running.job ??= inspectJob(this.#root, id)
    const { job } = running
    if (job?.status === 'running' && !mayHaveEnded(this.#root, job)) {
      running.forget ??= awaitSupervisor(job, () => {
        running.forget = undefined
        this.#lookOrFail(id)
        this.#arm()
      })
      return
    }
    settleJob(this.#root, id)
  }
}
