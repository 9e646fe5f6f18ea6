// What programs of this user have let commands write to so far.

import { join } from 'node:path'
import { ownState } from '../../base/util/own-state.js'
import { shareMemory } from '../../guard/sandbox/ever-writable.js'
import { memoryAt } from '../../guard/sandbox/writable-memory.js'

/** For a program that confines commands: from now on it knows what earlier ones did, and they what it does. */
export function rememberAcrossPrograms(): void {
  const state = ownState()
  // Without a home directory there is nowhere to remember anything.
  if (state !== undefined) shareMemory(memoryAt(join(state, 'writable')))
}
