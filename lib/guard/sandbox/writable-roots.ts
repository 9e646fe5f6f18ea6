// The writable directories of a policy: what they really are, and that nothing else depends on them.

import { statSync } from 'node:fs'
import { systemError } from '../../base/errors.js'
import { isBelow } from '../../base/util/absolute-paths.js'
import { linkedFrom, rememberWritable } from './ever-writable.js'
import { knownRoots, rootsKeeper } from './known-roots.js'
import { followLinks, type LinkedPath } from './linked-path.js'
import { type PolicyPlace, policyPath, wrongPath } from './policy-path.js'
import { refusalOf } from './refused-roots.js'

/**
 * Looked up for each command: what a path leads to may have changed since the last one.
 *
 * @returns absolute paths without symbolic links, none below another
 * @throws {BashError} ERR_INVALID_INPUT naming the path and the reason; ERR_WORKING_DIR when it is the working directory that
 *   is not there
 */
export function writableRoots(given: readonly string[], place: PolicyPlace): readonly string[] {
  const known = knownRoots(given, place)
  if (known !== undefined) {
    rememberWritable(known)
    return known
  }
  const found = given.map((path, index) => {
    const field = `${place.field}.writable[${index}]`
    const named = policyPath(field, path, place)
    return { field, named, ...directoryAt(field, named, place.cwd) }
  })
  const keep = rootsKeeper(given, place, found)
  for (const { field, real } of found) {
    const reason = refusalOf(real, place)
    if (reason !== undefined) throw wrongPath(field, real, `cannot be made writable: ${reason}`)
  }
  const roots = found.map(({ real }) => real)
  for (const { field, named, ...followed } of found) {
    const writable = linkedFrom(followed, roots)
    if (writable === undefined) continue
    const reason = `commands can write to ${writable}, where the link to it is`
    throw wrongPath(
      field,
      named,
      `cannot be made writable: ${reason}; give the path that is meant, ${followed.real}`,
    )
  }
  rememberWritable(roots)
  const isCovered = (root: string) => roots.some((other) => isBelow(root, other))
  const outermost = roots.filter((root, index) => roots.indexOf(root) === index && !isCovered(root))
  keep(outermost)
  return outermost
}

/** SOH separates the paths of a list on their way to the supervisor. */
const separator = /\x01/

function directoryAt(field: string, path: string, cwd: string): LinkedPath {
  let followed: LinkedPath
  try {
    followed = followLinks(path)
    if (!statSync(followed.real).isDirectory()) throw wrongPath(field, path, 'must be a directory')
  } catch (error) {
    const { syscall, errno } = error as NodeJS.ErrnoException
    if (syscall === undefined || errno === undefined) throw error
    // What is wrong is the same without a policy.
    if (path === cwd)
      throw systemError('ERR_WORKING_DIR', { step: 'chdir', errno: Math.abs(errno), path }, error)
    const { message } = systemError('ERR_INVALID_INPUT', { step: syscall, errno: Math.abs(errno) }, error)
    throw wrongPath(field, path, `must be a directory that exists (${message})`)
  }
  // A symbolic link may lead to what could not have been given.
  if (separator.test(followed.real)) throw wrongPath(field, path, 'must have no U+0001 in its name')
  return followed
}
