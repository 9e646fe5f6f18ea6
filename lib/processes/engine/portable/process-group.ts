// What a command has started, as far as it can be found without a supervisor: its process group, and on Linux the other
// groups of its session (job control makes them). What makes a session of its own is out of reach.

import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { errnoOf } from './completion.js'
import { leaderStartTime, livingMembers, type TableEntry } from './process-table.js'

const { ESRCH } = constants.errno
const firstPauseMs = 2
const longestPauseMs = 50
/** A killed command is waited for at most 15 seconds: REQ-BASH-012 (docs/requirements.md). */
const killLimitMs = 14_000

export class ProcessGroup {
  readonly pgid: number
  /** Of its leader; undefined when that has ended, or /proc does not show it. */
  readonly startTime: number | undefined

  /** @param pgid of a child that leads it and its session, and that nobody has waited for yet */
  constructor(pgid: number) {
    if (!(pgid > 1)) throw new RangeError(`no process group: ${pgid}`)
    this.pgid = pgid
    try {
      this.startTime = leaderStartTime(pgid)
    } catch {
      // Known by its number alone, then.
    }
  }

  /** Whether the group is gone, at the cost of one system call. Zombies keep it. */
  isGone(): boolean {
    try {
      process.kill(-this.pgid, 0)
      return false
    } catch (error) {
      return errnoOf(error) === ESRCH
    }
  }

  /** What runs of it. Reads the table of processes; where that cannot be read now, it is the group that is there. */
  members(): TableEntry[] {
    try {
      // A group or session with members keeps its number from new processes: another leader proves that it had none.
      const leaderStart = leaderStartTime(this.pgid)
      if (leaderStart !== undefined && leaderStart !== this.startTime) return []
      return livingMembers(this.pgid)
    } catch {
      // No descriptor is left, for one: that says nothing of the processes.
      const command = '[processes of this group that /proc does not show]'
      return this.isGone() ? [] : [{ pid: this.pgid, pgid: this.pgid, command }]
    }
  }

  signal(name: 'SIGTERM' | 'SIGCONT' | 'SIGKILL'): void {
    for (const pgid of new Set(this.members().map((member) => member.pgid))) {
      try {
        if (pgid > 1) process.kill(-pgid, name)
      } catch {
        // It has just ended, or none of it may be signalled.
      }
    }
  }

  /**
   * SIGTERM, and SIGKILL to what is left after the grace period. Waits for its end, but not longer than it may take.
   *
   * @returns the last signal
   */
  async end(graceMs: number): Promise<'SIGTERM' | 'SIGKILL'> {
    this.signal('SIGTERM')
    this.signal('SIGCONT')
    if (await waitFor(() => this.members().length === 0, graceMs)) return 'SIGTERM'
    const deadline = performance.now() + killLimitMs - graceMs
    // What was forked between the look and the signal is there at the next look.
    do this.signal('SIGKILL')
    while (!(await waitFor(() => this.members().length === 0, 100)) && performance.now() < deadline)
    return 'SIGKILL'
  }

  /** Waits until the group is gone. */
  async gone(limitMs: number): Promise<void> {
    await waitFor(() => this.isGone(), limitMs)
  }
}

/** Looks again and again, less and less often. @returns whether it came true within the time */
async function waitFor(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs
  for (let pause = firstPauseMs; !condition(); pause = Math.min(2 * pause, longestPauseMs)) {
    const left = deadline - performance.now()
    if (left <= 0) return false
    await delay(Math.min(pause, left))
  }
  return true
}
