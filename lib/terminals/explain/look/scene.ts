// What all looks at the threads of one command have in common.

import type { RunClock } from './clock.js'
import type { Descriptors } from './descriptors.js'
import type { Locks } from './locks.js'
import type { Proc } from './proc.js'
import type { Stat } from './processes.js'

export interface Scene {
  proc: Proc
  descriptors: Descriptors
  locks: Locks
  clock: RunClock
  /** The processes of the command. */
  pids: ReadonlySet<number>
}

/** A thread, and how it is. */
export interface Thread {
  pid: number
  tid: number
  stat: Stat
  /** How often it has run since the first look. */
  runs: number | undefined
}
