// What programs of this user have let commands write to so far.

import { dirname, join } from 'node:path'
import { defaultJobsDirectory } from '../jobs/directory.js'
import { shareMemory } from '../sandbox/ever-writable.js'
import { memoryAt } from '../sandbox/writable-memory.js'

/** For a program that confines commands: from now on it knows what earlier ones did, and they what it does. */
export function rememberAcrossPrograms(): void {
  let state: string
  try {
    state = dirname(defaultJobsDirectory())
  } catch {
    // Without a home directory there is nowhere to remember anything.
    return
  }
  shareMemory(memoryAt(join(state, 'writable')))
}
