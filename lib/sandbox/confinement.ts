// From a policy to what the engine is asked for: the paths of one command. Loaded with the first policy that has any.

import { type ConfinementPlan, readOnlyPlan } from '../engine/engine.js'
import type { EncodedEnvironment } from '../environment/command-environment.js'
import { invalidInput } from '../util/invalid-input.js'
import { type CheckedPolicy, maxProtected } from './policy.js'
import { unreadablePaths } from './unreadable-paths.js'
import { watchedByDefault } from './watched.js'
import { writableRoots } from './writable-roots.js'

export { refusalOf } from './refused-roots.js'

/** What the paths of a policy depend on. */
export interface PolicyPlace {
  /** Where relative paths begin, an absolute path. */
  base: string
  environment: EncodedEnvironment
  /** The bash that runs the command. */
  shell: string
  /** What messages call the policy. */
  field: string
}

/** @throws {BashError} ERR_INVALID_INPUT naming the path and what is wrong with it */
export function planPaths(policy: CheckedPolicy, place: PolicyPlace): ConfinementPlan {
  const writable = writableRoots(policy.writable, place)
  return {
    ...readOnlyPlan,
    writable,
    unreadable: unreadablePaths(policy.unreadable, writable, place),
    watched: writable.length === 0 ? [] : watchedPaths(policy.protect, place),
    sharedMemory: policy.sharedMemory,
  }
}

function watchedPaths(protect: readonly string[], { field }: PolicyPlace): readonly string[] {
  if (protect.length === 1 && protect[0] === 'default') return watchedByDefault
  const paths = [...new Set(protect.flatMap((path) => (path === 'default' ? watchedByDefault : path)))]
  if (paths.length <= maxProtected) return paths
  const requirement = `must have at most ${maxProtected} paths, the default ones among them`
  throw invalidInput(`${field}.protect`, requirement, paths.length)
}
