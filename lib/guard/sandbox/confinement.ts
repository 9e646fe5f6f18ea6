// From a policy to what the engine is asked for. Loaded with the first policy that allows something.

import { invalidInput } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import { type ConfinementPlan, readOnlyPlan } from '../../processes/engine/request.js'
import { cacheDirectoryFor } from './cache-directory.js'
import { requireNoDevices } from './device-nodes.js'
import { rememberWritable } from './ever-writable.js'
import { checkHostCode } from './host-code.js'
import { type CheckedPolicy, maxProtected, maxWritable, sharedMemoryDirectory } from './policy.js'
import { type PolicyPlace, wrongPath } from './policy-path.js'
import { sharedMemoryRefusal } from './refused-roots.js'
import type * as SealPackage from './seal-package.js'
import { findUnreadable } from './unreadable-paths.js'
import { watchedByDefault } from './watched.js'
import { writableRoots } from './writable-roots.js'

export { refusalOf } from './refused-roots.js'

/**
 * Where the package is in a writable directory, it is sealed now.
 *
 * @throws {BashError} ERR_INVALID_INPUT naming the path and what is wrong with it, or the code in it that `hostCode` refuses;
 * ERR_SANDBOX_UNAVAILABLE for a required
 *   protection that it cannot have there; as `sealPackageIn`
 */
export function planPolicy(policy: CheckedPolicy, place: PolicyPlace): ConfinementPlan {
  const { required } = place
  const writable = writableRoots(policy.writable, place)
  const { paths: unreadable, usual } = findUnreadable(policy.unreadable, writable, place)
  const watched = writable.length === 0 ? [] : watchedPaths(policy.protect, place)
  if (required.includes('devices')) requireNoDevices(writable)
  const open = policy.sharedMemory ? [...writable, sharedMemory(place)] : writable
  if (open.length > 0) {
    checkHostCode(open, policy.hostCode, place)
    seal().sealPackageIn(open)
  }
  const cacheDirectory = policy.network === false ? undefined : cachesOf(writable, unreadable)
  return {
    ...readOnlyPlan,
    writable: cacheDirectory === undefined ? writable : [...writable, cacheDirectory],
    ...(cacheDirectory !== undefined && { cacheDirectory }),
    unreadable,
    ...(usual > 0 && { usuallyUnreadable: usual }),
    watched,
    loopback: policy.loopback,
    unixSockets: policy.unixSockets,
    sharedMemory: policy.sharedMemory,
  }
}

/** What commands can write to beside the roots. */
function sharedMemory(place: PolicyPlace): string {
  const reason = sharedMemoryRefusal(place)
  if (reason !== undefined)
    throw wrongPath(`${place.field}.sharedMemory`, 'true', `cannot be allowed: ${reason}`)
  rememberWritable([sharedMemoryDirectory])
  return sharedMemoryDirectory
}

/** Where nothing else can be written, nothing is kept. */
function cachesOf(writable: readonly string[], unreadable: readonly string[]): string | undefined {
  if (writable.length === 0 || writable.length >= maxWritable) return undefined
  const directory = cacheDirectoryFor(writable, unreadable)
  if (directory !== undefined) rememberWritable([directory])
  return directory
}

const seal = part((): typeof SealPackage => require('./seal-package.js'))

function watchedPaths(protect: readonly string[], { field }: PolicyPlace): readonly string[] {
  if (protect.length === 1 && protect[0] === 'default') return watchedByDefault
  const paths = [...new Set(protect.flatMap((path) => (path === 'default' ? watchedByDefault : path)))]
  if (paths.length <= maxProtected) return paths
  const requirement = `must have at most ${maxProtected} paths, the default ones among them`
  throw invalidInput(`${field}.protect`, requirement, paths.length)
}
