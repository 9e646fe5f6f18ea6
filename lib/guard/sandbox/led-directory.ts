// Directories that the host, or a supervisor, writes into: whether a command may have led one elsewhere. Loaded with the
// first one.

import { currentEngine } from '../../processes/engine/choose.js'
import { linkedFrom } from './ever-writable.js'
import { followToMissing, type LinkedPath } from './linked-path.js'

export interface LedDirectory {
  /** The path without symbolic links; as it is where it cannot be followed, which whoever uses it will say. */
  real: string
  /** Why nothing may be written there: a command may have made a link on the way. */
  refusal?: string
}

/** Looked up for each use: what the path leads to may have changed since the last one. */
export function ledDirectory(directory: string): LedDirectory {
  // What it mostly is.
  if (currentEngine().stampOf([directory]) !== '') return { real: directory }
  let followed: LinkedPath
  try {
    followed = followToMissing(directory)
  } catch {
    return { real: directory }
  }
  const { real } = followed
  const writable = linkedFrom(followed)
  if (writable === undefined) return { real }
  return {
    real,
    refusal: `a symbolic link in ${writable}, where commands can write, leads to ${real}`,
  }
}
