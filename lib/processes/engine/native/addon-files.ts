// Where the addon and its supervisor are, on this machine.

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isBelow } from '../../../base/util/absolute-paths.js'
import { installedRoot, isBundled } from '../../../base/util/bundled.js'
import { packageRoot } from '../../../package-root.js'

/**
 * The directories that may have the addon, best first: the one that BASHWARD_PREBUILD names and no other, or the package;
 * for a program that was bundled then the bundle's own, and the package that is installed for it.
 */
export function* nativeRoots(): Generator<string> {
  // Read by node-gyp-build, too; but there only where it finds our package.json.
  const { BASHWARD_PREBUILD } = process.env
  yield BASHWARD_PREBUILD || packageRoot
  if (BASHWARD_PREBUILD || !isBundled()) return
  yield __dirname
  const root = installedRoot()
  if (root !== undefined) yield root
}

const platformDirectory = `${process.platform}-${process.arch}`

/**
 * The files that may be the addon, best first: what node-gyp-build chooses (the build of a checkout, or else what was
 * built for this platform) and after it the prebuilt ones for this processor. node-gyp-build knows musl only by
 * /etc/alpine-release, so its choice may be for the other C library; and the build of a checkout may be another
 * machine's.
 */
export function addonFiles(root: string): string[] {
  const prebuilt = ['glibc', 'musl']
    .map((libc) => join(root, 'prebuilds', platformDirectory, `bashward.${libc}.node`))
    .filter((file) => existsSync(file))
  return [...new Set([...choiceOfNodeGypBuild(root), ...prebuilt])]
}

function choiceOfNodeGypBuild(root: string): string[] {
  const { path } = require('node-gyp-build') as { path(root: string): string }
  // Variables of npm's name it another processor, for which it would look beside Node's executable, too.
  const own = ['build', join('prebuilds', platformDirectory)].map((directory) => resolve(root, directory))
  try {
    return [path(root)].filter((file) => own.some((directory) => isBelow(file, directory)))
  } catch {
    return [] // it throws when there is nothing to choose from
  }
}

/**
 * The supervisor that was built with an addon. That it may be executed is not asked here: where it may not, the engine
 * executes a copy in memory.
 *
 * @throws {Error} when it is missing
 */
export function supervisorOf(addon: string): string {
  const supervisor = join(dirname(addon), 'bashward-supervisor')
  if (!existsSync(supervisor)) throw new Error(`${supervisor} is missing`)
  return supervisor
}

/** Whether a file is not executable though its mode says so: its file system is mounted noexec. */
export function isOnNoexecMount(file: string): boolean {
  try {
    if ((statSync(file).mode & 0o111) === 0) return false
    accessSync(file, constants.X_OK)
    return false
  } catch {
    return true
  }
}

/** The platform in words: `linux-x64 with glibc`. */
export function platformName(): string {
  const name = `${process.platform}-${process.arch}`
  return process.platform === 'linux' ? `${name} with ${cLibrary()}` : name
}

function cLibrary(): string {
  // Not process.report: it looks up the names of all peers, and may wait for the network.
  const maps = readMaps()
  if (/\/(ld-musl-[^/]+|libc\.so)$/m.test(maps)) return 'musl'
  return /\/libc(\.so\.6|-2\.\d+\.so)$/m.test(maps) ? 'glibc' : 'an unknown C library'
}

/** Nothing where /proc is not mounted. */
function readMaps(): string {
  try {
    return readFileSync('/proc/self/maps', 'latin1')
  } catch {
    return ''
  }
}
