// Tools that only some tasks need (a cross compiler, package managers) are not development dependencies. A directory
// with a package.json names them exactly, and they are installed into a cache when first used. A package-lock.json
// beside it pins what they depend on, too.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

/** The files of `directory` that decide what is installed. */
const filesOf = (directory) =>
  ['package.json', 'package-lock.json'].filter((file) => existsSync(join(directory, file)))

/** Where downloads and compiler caches are kept: `$XDG_CACHE_HOME/bashward`, or below `~/.cache`. */
export const cacheDirectory = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bashward')

/** Where the packages of `directory` are, or would be: other versions are another place. */
function placeOf(directory) {
  const hash = createHash('sha256')
  for (const file of filesOf(directory)) hash.update(readFileSync(join(directory, file)))
  return join(cacheDirectory, `${basename(directory)}-${hash.digest('hex').slice(0, 16)}`)
}

/** The installed packages of `directory`: the path of their node_modules, or undefined. Needs no network. */
export function installedPackages(directory) {
  const modules = join(placeOf(directory), 'node_modules')
  return existsSync(modules) ? modules : undefined
}

/**
 * Installs the packages of `directory`, unless that has been done. With `npm install`, not `npm ci`: a lock file has
 * the optional packages of one platform, and `npm ci` asks for those of all.
 *
 * @param {string} directory with package.json
 * @param {{foreign?: boolean}} options `foreign`: also packages for other processors and C libraries
 * @returns {string} the path of their node_modules
 */
export function installPackages(directory, { foreign = false } = {}) {
  const installed = installedPackages(directory)
  if (installed !== undefined) return installed
  mkdirSync(cacheDirectory, { recursive: true })
  // Installed aside and renamed, so nobody sees an interrupted installation or one that another process is making.
  const place = placeOf(directory)
  const draft = mkdtempSync(`${place}.`)
  try {
    for (const file of filesOf(directory)) copyFileSync(join(directory, file), join(draft, file))
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', ...(foreign ? ['--force'] : [])]
    const { status, stderr } = spawnSync('npm', ['install', ...options], {
      cwd: draft,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`npm install in ${directory} failed:\n${stderr}`)
    if (!existsSync(place)) renameSync(draft, place)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return join(place, 'node_modules')
}
