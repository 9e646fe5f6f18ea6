// Parts of the package that are loaded when they are needed.

import { BashError, messageOf, systemError } from '../errors.js'
import { bundleHint, isBundled } from './bundled.js'
import { once } from './lazy.js'

/**
 * Gives what `load` requires, from then on without asking again.
 *
 * @returns a function that throws a BashError when the part cannot be loaded: ERR_SPAWN with step, errno and path when
 *   its file cannot be opened or read (no descriptor is left), ERR_INTERNAL otherwise. The next call tries again
 */
export function part<Module>(load: () => Module): () => Module {
  return once(() => {
    try {
      return load()
    } catch (error) {
      throw asBashError(error)
    }
  })
}

function asBashError(error: unknown): BashError {
  const { syscall, errno, path } = error as NodeJS.ErrnoException
  if (syscall !== undefined && errno !== undefined) {
    // libuv's numbers are negative.
    const failure = { step: syscall, errno: Math.abs(errno) }
    return systemError('ERR_SPAWN', path === undefined ? failure : { ...failure, path }, error)
  }
  const reason = messageOf(error)
  const hint = isBundled() ? `; ${bundleHint}` : ''
  return new BashError('ERR_INTERNAL', `a part of bashward cannot be loaded: ${reason}${hint}`, {
    cause: error,
  })
}
