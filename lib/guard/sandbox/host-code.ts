// Code that this process has loaded from directories that a command may write to. The command can change what the host
// executes there, and no sandbox can prevent that.

import { existsSync, readFileSync } from 'node:fs'
import { isWithin } from '../../base/util/absolute-paths.js'
import { isBundled } from '../../base/util/bundled.js'
import { packageRoot } from '../../package-root.js'
import { currentEngine } from '../../processes/engine/choose.js'
import { everyNameOf } from './every-name.js'
import { type HostCode, sharedMemoryDirectory } from './policy.js'
import { type PolicyPlace, wrongPath } from './policy-path.js'
import { publishSandboxEvent, watchesSandbox } from './sandbox-events.js'

const maxReported = 32

/** Directories that are reported once each, or in which there was nothing. */
const told = new Set<string>()
const maxTold = 1000

/**
 * @param writable their real paths
 * @throws {BashError} ERR_INVALID_INPUT when `hostCode` is `refuse` and a directory holds such code
 */
export function checkHostCode(writable: readonly string[], hostCode: HostCode, { field }: PolicyPlace): void {
  if (hostCode === 'refuse') {
    for (const root of writable) {
      const found = hostCodeIn([root])
      if (found.length === 0) continue
      const reason = `cannot be made writable with hostCode: 'refuse', as this program has loaded code from it`
      const name = root === sharedMemoryDirectory ? 'sharedMemory' : 'writable'
      throw wrongPath(`${field}.${name}`, root, `${reason}: ${listOf(found)}`)
    }
    return
  }
  if (!watchesSandbox()) return
  const key = writable.join('\0')
  if (told.has(key)) return
  if (told.size === maxTold) told.clear()
  told.add(key)
  const found = hostCodeIn(writable)
  if (found.length === 0) return
  const paths = found.slice(0, maxReported)
  const reason = `commands can change code that this program has loaded: ${listOf(found)}`
  const dropped = found.length - paths.length
  publishSandboxEvent({ type: 'hostCode', reason, writable, paths, ...(dropped > 0 && { dropped }) })
}

function listOf(paths: readonly string[]): string {
  const [first, second] = paths
  if (second === undefined) return `${first}`
  return paths.length === 2 ? `${first}, ${second}` : `${first}, ${second} and ${paths.length - 2} more`
}

/**
 * What this process has loaded from below these directories: libraries and addons first, then its main file, and the CommonJS
 * modules of this thread's cache. bashward itself is one entry, its directory. Unknown are ES modules but for the main file,
 * what has left the cache, what other threads have loaded, what is not loaded yet, and hard links.
 *
 * @param writable real paths of directories
 * @returns absolute paths
 */
export function hostCodeIn(writable: readonly string[]): string[] {
  const roots = writable.flatMap(everyNameOf)
  const modules = Object.keys(require.cache).flatMap(namesOfFile)
  const [, main] = process.argv
  const files = [
    ...mappedCode().flatMap(namesOfFile),
    ...(main?.startsWith('/') ? namesOfFile(main) : []),
    ...modules,
  ]
  const isOwn = (file: string): boolean => !isBundled() && isWithin(file, packageRoot)
  const found = files
    .filter((file) => roots.some((root) => isWithin(file, root)))
    .map((file) => (isOwn(file) ? packageRoot : file))
  return [...new Set(found)]
}

/** Files that are mapped to be executed. Nothing where /proc is not mounted. */
function mappedCode(): string[] {
  let maps: string
  try {
    maps = readFileSync('/proc/self/maps', 'utf8')
  } catch {
    return []
  }
  const lines = maps.matchAll(/^\S+ ..x\S+ \S+ \S+ [1-9]\d* +(\/.*)$/gm)
  const files = Array.from(lines, ([, path = '']) => path.replaceAll('\\012', '\n'))
  // A deleted file is nobody's any more, and stands there as such; but a file may have such a name.
  return [...new Set(files)].filter((path) => !path.endsWith(' (deleted)') || existsSync(path))
}

/** The names of files that were looked up while the mounts were these: a host may have thousands of modules. */
const lookedUp = { mounts: -1, names: new Map<string, string[]>() }

/** By the name of a link as well, which a command can exchange. */
function namesOfFile(file: string): string[] {
  const mounts = currentEngine().mountsVersion()
  if (lookedUp.mounts !== mounts) Object.assign(lookedUp, { mounts, names: new Map() })
  const found = lookedUp.names.get(file) ?? [...new Set([...everyNameOf(file), file])]
  lookedUp.names.set(file, found)
  return found
}
