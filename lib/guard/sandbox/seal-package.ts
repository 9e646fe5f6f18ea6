// bashward in the node_modules of the directory that a command may write to: what the command writes there is not
// executed by this process.

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { BashError, describeFailure } from '../../base/errors.js'
import { isBundled } from '../../base/util/bundled.js'
import type { Sources } from '../../base/util/kept-sources.js'
import { once } from '../../base/util/lazy.js'
import { loadAllParts } from '../../base/util/load-part.js'
import { packageRoot } from '../../package-root.js'
import { loadAddon } from '../../processes/engine/native/addon.js'

/**
 * Seals the package where one of these directories has a part of it, or may have by a hard link. To be called before each
 * command that may write to them, with their real paths.
 *
 * @throws {BashError} as {@link sealPackage}
 */
export function sealPackageIn(writable: readonly string[]): void {
  if (sealed) return
  const { addon } = loadAddon()
  const asked = { mounts: addon.mountsVersion(), writable: writable.join('\0') }
  if (asked.mounts === unreached.mounts && asked.writable === unreached.writable) return
  // Each file by itself: a mount can show a single one.
  const parts = [...locations(), ...files()].flatMap((path) => addon.otherNames(path))
  const places = [...locations(), ...parts]
  const isReached = (root: string): boolean =>
    places.some((place) => isWithin(place, root) || isWithin(root, place))
  const roots = [...writable, ...writable.flatMap((root) => addon.otherNames(root))]
  if (roots.some(isReached) || (writable.length > 0 && hasOtherLinks())) sealPackage()
  else unreached = asked
}

/** Directories without a part of the package, which most commands have once more. */
let unreached = { mounts: -1, writable: '' }

/**
 * From now on, and for good, nothing of the package's files is executed by a thread that has loaded the package: this one
 * loads every part and the entry points, the others take parts from the sources that it keeps for them, and the supervisor
 * runs from its copy in memory only. The addon is such a copy from the start. A worker that loads the package later loads
 * it from the files.
 *
 * @throws {BashError} ERR_SANDBOX_UNAVAILABLE when there can be no copy; ERR_SPAWN or ERR_INTERNAL when a part cannot be
 *   loaded; ERR_UNSUPPORTED_PLATFORM without the addon
 */
export function sealPackage(): void {
  if (sealed) return
  const { addon, supervisor } = loadAddon()
  const first = addon.sealedAt() === 0
  if (first) loadEntryPoints()
  loadAllParts()
  const errno = addon.sealPackage(supervisor, first ? JSON.stringify(readSources()) : '')
  if (errno !== 0) throw unsealed({ step: 'copy the package to memory', errno, path: supervisor })
  sealed = true
}

let sealed = false

function unsealed(failure: { step: string; errno: number; path: string }): BashError {
  const reason = 'bashward lies in a directory that the command may write to, and cannot be kept in memory'
  return new BashError('ERR_SANDBOX_UNAVAILABLE', `${reason}: ${describeFailure(failure)}`, failure)
}

const dist = join(packageRoot, 'dist')

/**
 * Whether a file of the package has a hard link somewhere: package managers link those of their store into each project.
 * Where it is nobody can tell. Looked at once, as a command cannot make any.
 */
const hasOtherLinks = once((): boolean => files().some(hasOtherLink))

/** What of the package is executed, without the symbolic links on the way to its directories. */
const files = once((): readonly string[] => {
  const directories = dependencies.flatMap((dependency) => directoryOfDependency(dependency) ?? [])
  if (isInDist()) directories.push(dist)
  const real = directories.map(realPath)
  const manifests = real.map((directory) => join(directory, '../package.json'))
  return [...manifests, realPath(loadAddon().supervisor), ...real.flatMap(codeIn)]
})

/** Walked by hand: Node.js takes twenty milliseconds for that. */
function codeIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`
    if (entry.isDirectory()) return codeIn(path)
    return /\.[cm]?js$/.test(entry.name) ? path : []
  })
}

function hasOtherLink(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.nlink > 1
}

/** Neither a bundle nor the tests, which run what is in lib/. */
const isInDist = (): boolean => !isBundled() && isWithin(__dirname, dist)

/** Bundlers make something else of require(). */
const requireHere = (): NodeJS.Require => createRequire(join(dist, 'index.js'))

function readSources(): Sources {
  const sources: Record<string, string> = {}
  if (!isInDist()) return sources
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file)
    if (path.endsWith('.js')) sources[path] = readFileSync(path, 'utf8')
  }
  sources.re2js = readFileSync(requireHere().resolve('re2js'), 'utf8')
  return sources
}

/**
 * Node.js opens their files by itself when a host imports them. Those for frameworks come with them: a host that has not
 * loaded the framework yet loads that from the same directory.
 */
function loadEntryPoints(): void {
  if (!isInDist()) return
  const load = requireHere()
  for (const file of ['index.js', 'index.mjs', 'adapters/ai.js', 'adapters/ai.mjs']) load(`./${file}`)
}

/** Where the code of this package is, with and without the symbolic links on the way. */
const locations = once((): string[] => {
  const mains = dependencies.flatMap((dependency) => directoryOfDependency(dependency) ?? [])
  const paths = [packageRoot, dirname(loadAddon().supervisor), ...mains]
  return [...new Set(paths.flatMap((path) => [path, realPath(path)]))]
})

const dependencies = ['node-gyp-build', 're2js', 'unbash']

/** Where its main file is; undefined where it is not installed, as in a bundle. */
function directoryOfDependency(dependency: string): string | undefined {
  try {
    return dirname(require.resolve(dependency))
  } catch {
    return undefined
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
