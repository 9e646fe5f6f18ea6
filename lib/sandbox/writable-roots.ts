// The writable directories of a policy: what they really are, and that nothing else depends on them.

import { realpathSync, statSync } from 'node:fs'
import { systemError } from '../errors.js'
import { isBelow } from '../util/paths.js'
import type { PolicyPlace } from './confinement.js'
import { policyPath, wrongPath } from './policy-path.js'
import { refusalOf } from './refused-roots.js'

/**
 * Looked up for each command: what a path leads to may have changed since the last one.
 *
 * @returns absolute paths without symbolic links, none below another
 * @throws {BashError} ERR_INVALID_INPUT naming the path and the reason
 */
export function writableRoots(given: readonly string[], place: PolicyPlace): readonly string[] {
  const roots = given.map((path, index) => {
    const field = `${place.field}.writable[${index}]`
    const root = directoryAt(field, policyPath(field, path, place))
    const reason = refusalOf(root, place)
    if (reason !== undefined) throw wrongPath(field, root, `cannot be made writable: ${reason}`)
    return root
  })
  const isCovered = (root: string) => roots.some((other) => isBelow(root, other))
  return roots.filter((root, index) => roots.indexOf(root) === index && !isCovered(root))
}

/** SOH separates the paths of a list on their way to the supervisor. */
const separator = /\x01/

function directoryAt(field: string, path: string): string {
  let real: string
  try {
    real = realpathSync.native(path)
    if (!statSync(real).isDirectory()) throw wrongPath(field, path, 'must be a directory')
  } catch (error) {
    const { syscall, errno } = error as NodeJS.ErrnoException
    if (syscall === undefined || errno === undefined) throw error
    const { message } = systemError('ERR_INVALID_INPUT', { step: syscall, errno: Math.abs(errno) }, error)
    throw wrongPath(field, path, `must be a directory that exists (${message})`)
  }
  // A symbolic link may lead to what could not have been given.
  if (separator.test(real)) throw wrongPath(field, path, 'must have no U+0001 in its name')
  return real
}
