// Code that this process has loaded from directories that a command may write to. The command can change what the host
// executes there, and no sandbox can prevent that.

import { readFileSync } from 'node:fs'
import { currentEngine } from '../engine/choose.js'
import { packageRoot } from '../package-root.js'
import { isWithin, realNameOf } from '../util/absolute-paths.js'
import { isBundled } from '../util/bundled.js'
import type { HostCode } from './policy.js'
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
      throw wrongPath(`${field}.writable`, root, `${reason}: ${listOf(found)}`)
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
 * modules of this thread. bashward itself is one entry, its directory. Unknown are ES modules but for the main file, what
 * other threads have loaded, and what is not loaded yet.
 *
 * @param writable real paths of directories
 * @returns absolute paths
 */
export function hostCodeIn(writable: readonly string[]): string[] {
  const { otherNames } = currentEngine()
  const roots = [...writable, ...writable.flatMap((root) => otherNames(root))]
  const modules = Object.keys(require.cache)
  const [, main] = process.argv
  const files = [...mappedCode(), ...(main?.startsWith('/') ? [realNameOf(main)] : []), ...modules]
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
  // A deleted file is nobody's any more, and stands there as such.
  const lines = maps.matchAll(/^\S+ ..x\S+ \S+ \S+ [1-9]\d* +(\/.*)$/gm)
  const files = Array.from(lines, ([, path = '']) => path.replaceAll('\\012', '\n'))
  return [...new Set(files)].filter((path) => !path.endsWith(' (deleted)'))
}
