// What programs of this user have let commands write to so far.

import { join } from 'node:path'
import { shareMemory } from '../sandbox/ever-writable.js'
import { memoryAt } from '../sandbox/writable-memory.js'
import { ownState } from '../util/own-state.js'

/** For a program that confines commands: from now on it knows what earlier ones did, and they what it does. */
export function rememberAcrossPrograms(): void {
  const state = ownState()
  // Without a home directory there is nowhere to remember anything.
  if (state !== undefined) shareMemory(memoryAt(join(state, 'writable')))
}
