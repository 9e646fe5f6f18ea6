// Whether commands can change this program: what starts it the next time would run what they have left there.

import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { packageRoot } from '../package-root.js'
import { writableRootOf } from '../sandbox/ever-writable.js'
import { isWithin, realNameOf } from '../util/absolute-paths.js'
import { homeDirectory } from '../util/directories.js'
import { UsageError } from './command-line.js'
import { writeText } from './stdio.js'
import { rememberAcrossPrograms } from './writable-memory.js'

/** A file of this program's, and the directory by which it can be changed. */
export interface ChangeablePlace {
  path: string
  root: string
  /** Whether commands that are to run now can, not only those of earlier programs. */
  now: boolean
}

/**
 * To be called before anything is started. Says once on stderr that commands can change this program, where they can.
 *
 * @param roots the directories that commands are to be able to write to, as they were given
 * @param strict whether to end instead
 * @throws {UsageError} (rejects) in that case
 */
export async function checkOwnPlace(
  program: string,
  roots: readonly string[] | undefined,
  strict: boolean,
): Promise<void> {
  rememberAcrossPrograms()
  const place = changeablePlace(roots)
  if (place === undefined) return
  const { path, root, now } = place
  const when = now ? 'can write' : 'of an earlier run could write'
  const text = `commands ${when} to ${root}, and so to ${path}: whoever starts it next may run what they leave there`
  if (strict) throw new UsageError(program, `--strict: ${text}; ${cure}`)
  await writeText(process.stderr, `${program}: ${text}; ${cure}\n`)
}

/** What to do about it. */
export const cure = 'install bashward elsewhere (npm install -g bashward), and call it by its absolute path'

/** @param roots as they were given: a relative one begins where this program runs */
export function changeablePlace(roots: readonly string[] = []): ChangeablePlace | undefined {
  const writable = roots.map((root) => realNameOf(resolve(root.replace(/^~(?=\/|$)/, homeDirectory()))))
  for (const path of ownFiles()) {
    const root = writable.find((each) => isWithin(path, each))
    if (root !== undefined && canBeChanged(path, root)) return { path, root, now: true }
    const earlier = writableRootOf(path)
    if (earlier !== undefined && canBeChanged(path, earlier)) return { path, root: earlier, now: false }
  }
  return undefined
}

/** By what it was started, which may be a link in node_modules/.bin; what it consists of; and what runs it. */
function ownFiles(): string[] {
  const [node = '', bin = ''] = [process.execPath, process.argv[1]]
  const paths = bin === '' ? [packageRoot, node] : [bin, packageRoot, node]
  return [...new Set(paths.flatMap((path) => [withRealDirectory(path), realNameOf(path)]))]
}

/** A link itself, and not what it leads to. */
const withRealDirectory = (path: string): string =>
  resolve(realNameOf(dirname(path)), path.slice(dirname(path).length).replace(/^\/+/, ''))

/** Whether this user may change a file, or what stands in its place, by a directory on the way from `root`. */
function canBeChanged(path: string, root: string): boolean {
  for (let each = path; isWithin(each, root); each = dirname(each)) {
    if (isChangeable(each)) return true
    if (each === '/') break
  }
  return false
}

function isChangeable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    // Its owner may change the mode; where the file system is read-only not even he may do anything.
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return false
    return statSync(path, { throwIfNoEntry: false })?.uid === process.geteuid?.()
  }
}
