// What confined a job, as its job.json tells; and what its supervisor has noted, in a file that grows while the job runs.

import { brokerOperations } from '../../guard/sandbox/denial-operations.js'
import type { SandboxName } from '../../guard/sandbox/policy.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'

/** Of a job of a mode or policy. */
export interface JobSandbox {
  name: Exclude<SandboxName, 'unrestricted'>
  /** The bash that runs it. */
  shell: string
  /** Absolute paths, as they were when it started. */
  writable: readonly string[]
  unreadable: readonly string[]
  /** One of the writable ones that no policy lists: for what package managers keep. */
  cacheDirectory?: string | undefined
  sharedMemory: boolean
  /** Whether its processes could serve each other on localhost, and by local sockets. */
  loopback: boolean
  unixSockets: boolean
  /** The hosts that it could reach. */
  domains: readonly string[]
  /** Its own; empty when it has none. */
  scratchDirectory: string
}

export const confinedNames = [
  'restricted',
  'workspace',
  'custom',
] as const satisfies readonly JobSandbox['name'][]

/** More than a supervisor writes: 32 denials and 128 changes, each with a path. */
export const maxNotesBytes = 1024 * 1024

/** Words, numbers and paths as native/supervisor/sandbox_notes.cc writes them. */
const note = /^(denied|more-denied|changed|more-changed|broker-ended) (\d{1,10}) (.*)$/s
const mostDenials = 32
const mostChanges = 128

/**
 * Never trusted: what is no note is passed over, as is one without its end, which is still being written.
 *
 * @param bytes of the file
 */
export function parseNotes(bytes: Buffer): SandboxEvents {
  const events: SandboxEvents = {
    denials: [],
    denialsDropped: 0,
    changed: [],
    changedDropped: 0,
    brokerEnded: false,
  }
  const { denials, changed } = events
  for (const text of bytes.toString('utf8').split('\0').slice(0, -1)) {
    const [, word, number, target = ''] = note.exec(text) ?? []
    const value = Number(number)
    if (word === 'denied' && denials.length < mostDenials && value < brokerOperations.length) {
      denials.push({ operation: value, target })
    } else if (word === 'changed' && changed.length < mostChanges) changed.push(target)
    else if (word === 'more-denied') events.denialsDropped = value
    else if (word === 'more-changed') events.changedDropped = value
    else if (word === 'broker-ended') events.brokerEnded = true
  }
  return events
}
