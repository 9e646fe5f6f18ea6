// What the sandbox tells of a command afterwards, in its result.

import type { Denial } from './denials.js'

/** What it refused. */
export interface DenialFields {
  /** The probable cause, when the sandbox refused something; also of a command that succeeded. */
  denied?: string
  /** What the sandbox refused, 32 at most; `denied` is about the first. */
  denials?: Denial[]
  /** Further ones. */
  denialsDropped?: number
}

export interface SandboxFindings extends DenialFields {
  /** Watched paths that the command has changed. Other programs may execute what is in them. */
  protectedChanged?: string[]
  /** How many others may have changed: changes beyond the first 128, and what could not be looked at. */
  protectedDropped?: number
}

export interface ReachedLimit {
  /** The resource limit that ended the command, or what it left running; `'scratch'` is the size of its directory. */
  limit?: 'memory' | 'cpu' | 'processes' | 'fileSize' | 'scratch'
  /** That limit: bytes, seconds of CPU time, or a number of processes. */
  limitValue?: number
}
