// The end of what a conversation has on this disk. It may stop at any step, with the process or by an error: the record of
// `Holdings` says that it has begun, and whoever asks next, or the next process, goes on with it.

import { join } from 'node:path'
import { BashError, messageOf } from '../../../base/errors.js'
import { removeTree } from '../../../base/util/remove-tree.js'
import { isOlderThan } from '../../../commands/calls/mark.js'
import { JobStore } from '../../../commands/jobs/store.js'
import { keptMs } from './clean-up.js'
import type { Holdings } from './holdings.js'
import type { Sessions } from './sessions.js'

/** Where conversations have something, each under its name. */
export interface Places {
  workspaces: string
  outputs: string
  jobs: string
  sessions: Sessions
}

export class Removals {
  readonly #places: Places
  readonly #holdings: Holdings
  readonly #running = new Map<string, Promise<void>>()

  constructor(places: Places, holdings: Holdings) {
    this.#places = places
    this.#holdings = holdings
  }

  /**
   * Ends a conversation. To be called while none of its calls runs, or begins.
   *
   * @throws {BashError} ERR_BUSY while a job cannot be killed: then it is as it was; ERR_INTERNAL when something of it is left
   */
  async release(conversation: string, epoch: string): Promise<void> {
    await this.#killJobs(conversation)
    // First: whatever Redis may say later, requests of this binding are refused from now on.
    this.#holdings.release(conversation, epoch)
    try {
      await this.finish(conversation)
    } catch (cause) {
      const reason = `its release has begun, and goes on when it is released once more: ${messageOf(cause)}`
      throw new BashError('ERR_INTERNAL', reason, { cause })
    }
  }

  /**
   * Removes what a release has left, or what was lost to another worker; nothing of a conversation that is held.
   *
   * @returns whether there was any
   * @throws {BashError} ERR_BUSY; the system's error
   */
  async finish(conversation: string): Promise<boolean> {
    let removal = this.#running.get(conversation)
    if (removal === undefined) {
      if ((this.#holdings.read(conversation)?.state ?? 'held') === 'held') return false
      removal = this.#remove(conversation).finally(() => this.#running.delete(conversation))
      this.#running.set(conversation, removal)
    }
    await removal
    return true
  }

  /**
   * What the processes before have left, and what was lost long ago: somebody may have wanted that back.
   *
   * @param failed told about each that something is left of
   */
  async finishAll(failed: (error: unknown) => void): Promise<void> {
    for await (const some of this.#holdings.all()) {
      for (const { conversation, holding } of some) {
        const isOver = holding.state === 'lost' && isOlderThan(holding, keptMs)
        if (holding.state === 'released' || isOver) await this.finish(conversation).catch(failed)
      }
    }
  }

  async #remove(conversation: string): Promise<void> {
    await this.#killJobs(conversation)
    const { workspaces, outputs, jobs, sessions } = this.#places
    sessions.remove(conversation)
    for (const place of [workspaces, outputs, jobs]) {
      await removeTree(join(place, conversation)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
    this.#holdings.forget(conversation)
  }

  async #killJobs(conversation: string): Promise<void> {
    const jobs = new JobStore({ directory: join(this.#places.jobs, conversation) })
    for (const { id, status } of await jobs.list()) {
      if (status !== 'running') continue
      const killed = await jobs.kill(id)
      if (killed.status === 'error')
        throw new BashError('ERR_BUSY', killed.error?.message ?? `job ${id} runs`)
    }
  }
}
