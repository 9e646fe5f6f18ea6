// The home directory of this process's user, where there is one.

import { homedir } from 'node:os'

/**
 * `$HOME`, else that of the user database; empty for a user of neither, as in a container that was started with a number
 * for its user.
 */
export function homeDirectory(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}
