// bashward in the node_modules of the directory that a command may write to: what the command writes there is not
// executed by this process.

import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadAddon } from '../engine/native/addon.js'
import { BashError, describeFailure } from '../errors.js'
import { packageRoot } from '../package-root.js'
import { once } from '../util/lazy.js'
import { loadAllParts } from '../util/load-part.js'

/**
 * Seals the package where one of these directories has a part of it. To be called before each command that may write to
 * them, with their real paths.
 *
 * @throws {BashError} as {@link sealPackage}
 */
export function sealPackageIn(writable: readonly string[]): void {
  if (sealed) return
  const { addon } = loadAddon()
  const asked = { mounts: addon.mountsVersion(), writable: writable.join('\0') }
  if (asked.mounts === unreached.mounts && asked.writable === unreached.writable) return
  const places = [...locations(), ...locations().flatMap((location) => addon.otherNames(location))]
  const isReached = (root: string): boolean =>
    places.some((place) => isWithin(place, root) || isWithin(root, place))
  const roots = [...writable, ...writable.flatMap((root) => addon.otherNames(root))]
  if (roots.some(isReached)) sealPackage()
  else unreached = asked
}

/** Directories without a part of the package, which most commands have once more. */
let unreached = { mounts: -1, writable: '' }

/**
 * From now on, and for good, nothing of the package's files is executed: every part is loaded, the supervisor runs from a
 * copy in memory, and the addon's code is a copy in memory, too. The last two hold for the process, the first for this
 * thread. A worker loads its own parts from the files, and so does an entry point (`bashward/ai`) that is imported later.
 *
 * @throws {BashError} ERR_SANDBOX_UNAVAILABLE when there can be no copy; ERR_SPAWN or ERR_INTERNAL when a part cannot be
 *   loaded; ERR_UNSUPPORTED_PLATFORM without the addon
 */
export function sealPackage(): void {
  if (sealed) return
  const { addon, supervisor } = loadAddon()
  loadAllParts()
  const errno = addon.sealPackage(supervisor)
  if (errno !== 0) throw unsealed({ step: 'copy the package to memory', errno, path: supervisor })
  sealed = true
}

let sealed = false

function unsealed(failure: { step: string; errno: number; path: string }): BashError {
  const reason = 'bashward lies in a directory that the command may write to, and cannot be kept in memory'
  return new BashError('ERR_SANDBOX_UNAVAILABLE', `${reason}: ${describeFailure(failure)}`, failure)
}

/** Where the code of this package is, with and without the symbolic links on the way. */
const locations = once((): string[] => {
  const paths = [packageRoot, dirname(loadAddon().supervisor), ...dependencies.flatMap(locate)]
  return [...new Set(paths.flatMap((path) => [path, realPath(path)]))]
})

const dependencies = ['node-gyp-build', 're2js', 'unbash']

/** Nothing where it is not installed, as in a bundle. */
function locate(dependency: string): string[] {
  try {
    return [dirname(require.resolve(dependency))]
  } catch {
    return []
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
}
