// The process group of a command, which is all that can be killed without a supervisor.

import { constants } from 'node:os'
import { livingMembers, type TableEntry } from './process-table.js'

const { EPERM } = constants.errno
const firstPauseMs = 2
const longestPauseMs = 50
const killLimitMs = 14_000

export class ProcessGroup {
  readonly pgid: number
  /** Once it is empty its number may come to mean another group: nothing is sent any more. */
  #isEmpty = false

  /** @param pgid of a child that leads it, and that nobody has waited for yet */
  constructor(pgid: number) {
    if (!(pgid > 1)) throw new RangeError(`no process group: ${pgid}`)
    this.pgid = pgid
  }

  signal(name: 'SIGTERM' | 'SIGCONT' | 'SIGKILL'): void {
    if (this.isEmpty()) return
    try {
      process.kill(-this.pgid, name)
    } catch {
      // It has just ended, or none of it may be signalled.
    }
  }

  /** Whether nothing of it runs. Zombies do not, but keep its number. */
  isEmpty(): boolean {
    this.#isEmpty ||= !exists(this.pgid)
    return this.#isEmpty
  }

  /** What runs of it, and on Linux of its session. */
  members(): TableEntry[] {
    return this.isEmpty() ? [] : livingMembers(this.pgid)
  }

  /**
   * SIGTERM, and SIGKILL to what is left after the grace period. Waits for its end, but not longer than it may take
   * (000/REQ-BASH-004: 15 seconds).
   *
   * @returns the last signal
   */
  async end(graceMs: number): Promise<'SIGTERM' | 'SIGKILL'> {
    this.signal('SIGTERM')
    this.signal('SIGCONT')
    if (await this.ended(graceMs)) return 'SIGTERM'
    this.signal('SIGKILL')
    await this.ended(killLimitMs - graceMs)
    return 'SIGKILL'
  }

  /** Waits until nothing of it runs. @returns whether that came to be within the time */
  async ended(limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      // Zombies that nobody waits for would be waited for in vain.
      if (this.isEmpty() || (pause === longestPauseMs && this.members().length === 0)) return true
      const left = deadline - performance.now()
      if (left <= 0) return false
      await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)))
    }
  }
}

function exists(pgid: number): boolean {
  try {
    process.kill(-pgid, 0)
    return true
  } catch (error) {
    return Math.abs((error as NodeJS.ErrnoException).errno ?? 0) === EPERM
  }
}
