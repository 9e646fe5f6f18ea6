// Where bashward keeps what outlives it: jobs, caches, what was writable.

import { isAbsolute, join } from 'node:path'
import { homeDirectory } from './directories.js'

/**
 * `$XDG_STATE_HOME/bashward`, else `~/.local/state/bashward`. A relative `$XDG_STATE_HOME` does not count (XDG Base
 * Directory Specification).
 *
 * @returns undefined when there is no home directory
 */
export function ownState(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home = homeDirectory() } = env
  if (state !== undefined && isAbsolute(state)) return join(state, 'bashward')
  return isAbsolute(home) ? join(home, '.local', 'state', 'bashward') : undefined
}
