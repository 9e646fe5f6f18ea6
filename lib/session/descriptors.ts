// Where the shell of a session finds its prologue and leaves its state: two descriptors that the host puts there.

import { readFileSync } from 'node:fs'

/** The limit on open files that our children begin with. Infinity where it is not known. */
function openFileLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Of the prologue; BASH_ENV names it. High, out of the way of a command's own redirections, and below the limit: two
 * more stay free there, since Node first copies what it gives to a child above the highest of the child's numbers.
 */
export const prologueDescriptor = Math.min(200, openFileLimit() - 4)

/** Of the state file. It is opened anew for writing, so a read-only descriptor is enough. */
export const stateDescriptor = prologueDescriptor + 1
