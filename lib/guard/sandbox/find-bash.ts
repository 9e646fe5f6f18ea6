// Which bash runs the commands. It may run outside of every sandbox, so it must be none that a command has put there.

import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { systemError } from '../../base/errors.js'
import { isBelow, isWithin, realNameOf } from '../../base/util/absolute-paths.js'
import { homeDirectory } from '../../base/util/directories.js'
import { isExecutableFile, systemDirectories } from '../../base/util/system-programs.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import { everWritableVersion, wasWritable } from '../sandbox/ever-writable.js'

let found: { environment: unknown; path: string; written: number; shell: string } | undefined

/**
 * The absolute path of the bash that {@link searchBash} finds for this process. Looked for once for each value of PATH, and
 * when commands can write to another directory: a bash that is removed afterwards shows as a failed execve.
 *
 * @param environment another object after each change of this process's environment, which takes long to read
 * @throws {BashError} ERR_SPAWN when there is none
 */
export function findBash(environment?: EncodedEnvironment): string {
  const written = everWritableVersion()
  const isKnown = environment !== undefined && found?.environment === environment
  if (isKnown && found?.written === written) return found.shell
  const path = process.env.PATH ?? ''
  const isSame = found?.path === path && found.written === written
  found = { environment, path, written, shell: (isSame && found?.shell) || searchBash(path) }
  return found.shell
}

/**
 * The first bash on PATH in a directory of the system; else that of the system, where PATH does not lead to it; else, on a
 * machine that has none, the first on PATH that neither a command nor another user may have put there.
 *
 * @param ofSystem absolute paths
 * @throws {BashError} ERR_SPAWN when there is none
 */
export function searchBash(path: string, ofSystem: readonly string[] = systemDirectories): string {
  // An empty entry means the working directory.
  const entries = path.split(delimiter).filter((entry) => entry.startsWith('/'))
  const named = entries.map((entry) => resolve(entry))
  const stores = ['/nix/store', '/gnu/store'].filter(existsSync)
  const inSystem = named.flatMap((directory) => {
    if (ofSystem.includes(directory)) return [bashIn(directory)]
    // Nobody writes there, but to the links that lead there.
    const real = stores.length === 0 ? '' : realNameOf(bashIn(directory))
    return stores.some((store) => isBelow(real, store)) ? [real] : []
  })
  const shell =
    [...inSystem, ...ofSystem.map(bashIn)].find(isUnwritten) ??
    named.filter(isNobodysProject()).map(bashIn).filter(isUnwritten).find(isOutOfOthersReach)
  if (shell !== undefined) return shell
  throw systemError('ERR_SPAWN', { step: 'find bash on PATH', errno: constants.errno.ENOENT })
}

const bashIn = (directory: string): string => join(directory, 'bash')

/** Whether it is a program, which no command can have made, nor what it leads to. */
function isUnwritten(file: string): boolean {
  if (!isExecutableFile(file)) return false
  if (everWritableVersion() === 0) return true
  return ![realNameOf(dirname(file)), realNameOf(file)].some(wasWritable)
}

/** Programs of a project's: a bash from there is nobody's intent. */
const ofProject = /\/(?:node_modules\/\.bin|\.?venv\/bin)$/

/**
 * Whether a directory on PATH is of no project: commands of an earlier program may have written to one that this program
 * does not know of.
 */
function isNobodysProject(): (directory: string) => boolean {
  const projects = [process.env.VIRTUAL_ENV, projectDirectory()].filter(
    (project) => project !== undefined && project !== '',
  ) as string[]
  const roots = projects.map((project) => resolve(project))
  return (directory) => {
    const names = [directory, realNameOf(directory)]
    return !names.some((name) => ofProject.test(name) || roots.some((root) => isWithin(name, root)))
  }
}

/** The working directory of this program, unless that is the user's home or contains it. */
export function projectDirectory(): string | undefined {
  try {
    const directory = process.cwd()
    return directory === '/' || isWithin(homeDirectory(), directory) ? undefined : directory
  } catch {
    return undefined
  }
}

/** Whether only this user and root can change a file, or where its path leads. */
function isOutOfOthersReach(file: string): boolean {
  return [file, realNameOf(file)].every((name) => {
    for (let each = name; ; each = dirname(each)) {
      if (!isOurs(each)) return false
      if (each === '/') return true
    }
  })
}

const [byGroup, byOthers, sticky] = [0o020, 0o002, 0o1000]

function isOurs(path: string): boolean {
  const { uid, gid, mode } = statSync(path)
  if (uid !== 0 && uid !== process.geteuid?.()) return false
  // Each may change what is his own there.
  if ((mode & sticky) !== 0) return true
  const isGroupOurs = gid === 0 || gid === process.getegid?.()
  return (mode & byOthers) === 0 && ((mode & byGroup) === 0 || isGroupOurs)
}
