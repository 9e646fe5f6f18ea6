// Which engine runs here, for who asks: `bashward doctor`.

import { messageOf } from '../../base/errors.js'
import { provenEngine } from './choose.js'
import type { EngineName } from './engine.js'

export interface EngineReport {
  /** Null when none can run: BASHWARD_ENGINE asks for one that does not work here. */
  name: EngineName | null
  /** Why it is this one, or none. */
  reason: string
  /** What it cannot do, and the native one can. */
  lacks: string[]
}

/** Never rejects. */
export async function reportEngine(): Promise<EngineReport> {
  try {
    const { engine, reason } = await provenEngine()
    return { name: engine.name, reason, lacks: engine.name === 'portable' ? portableLacks : [] }
  } catch (error) {
    return { name: null, reason: messageOf(error), lacks: [] }
  }
}

/** Explained in docs/portable-engine.md. */
const portableLacks = [
  'run commands in Restricted or Workspace mode, or protect the host',
  'find and kill daemons: what makes a session of its own',
  'keep as a job what a command leaves running',
  'keep commands from signalling this program, which is the parent of their shell',
  'tell the CPU time and memory that a command has used',
]
