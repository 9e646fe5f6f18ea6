// Where bashward keeps what outlives it: jobs, caches, what was writable.

import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { homeDirectory } from './directories.js'

/**
 * `$XDG_STATE_HOME/bashward`, else `~/.local/state/bashward`. A relative `$XDG_STATE_HOME` does not count (XDG Base
 * Directory Specification).
 *
 * @returns undefined when there is no home directory: the one that `$HOME` names is never made
 */
export function ownState(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home = homeDirectory() } = env
  if (state !== undefined && isAbsolute(state)) return join(state, 'bashward')
  return isAbsolute(home) && isDirectory(home) ? join(home, '.local', 'state', 'bashward') : undefined
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // Nobody gets as far as there.
    return false
  }
}

/** What helps where there is none, or where nothing can be written. */
export const otherState = 'set XDG_STATE_HOME to a directory that can be written'
