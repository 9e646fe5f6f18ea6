// Programs that bashward was bundled into. A bundle has the package's code, and none of its other files.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../package-root.js'
import { once } from './lazy.js'

/** Written into dist/ by the build; in a checkout's lib/ there is none. */
declare const BASHWARD_VERSION: string | undefined

const page = 'docs/containers-and-ci.md, Bundlers'

/** For an error that a bundle may be the reason of. */
export const bundleHint = `is bashward bundled? Keep it external: ${page}`

/** What to do where the package's binaries are not there at all. */
export function cureForMissingFiles(): string {
  if (isBundled()) return bundleHint
  return existsSync(join(packageRoot, 'binding.gyp'))
    ? 'in a checkout, build it with: npm run build'
    : `prebuilds/ of the package has been left behind: ${page}`
}

/** Whether this code is no longer in its package. */
export const isBundled = once(() => readPackage(packageRoot)?.name !== 'bashward')

/**
 * The package as it is installed for the program, in the version that the bundle has; undefined when there is none. It is
 * looked for from the bundle, and from the program's main file: never from the working directory, which may be anybody's.
 */
export const installedRoot = once((): string | undefined => {
  if (!isBundled()) return packageRoot
  const starts = [__dirname, ...(process.argv[1] === undefined ? [] : [dirname(process.argv[1])])]
  return starts.map(findInstalled).find((root) => root !== undefined)
})

function findInstalled(start: string): string | undefined {
  try {
    const root = dirname(createRequire(join(start, 'main.js')).resolve('bashward/package.json'))
    const version = typeof BASHWARD_VERSION === 'undefined' ? undefined : BASHWARD_VERSION
    return readPackage(root)?.version === version ? root : undefined
  } catch {
    return undefined // not installed; or a start that is no absolute path, as some bundlers have it
  }
}

function readPackage(root: string): { name?: unknown; version?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}
