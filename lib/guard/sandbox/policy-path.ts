// A path of a policy, as its caller gives it.

import { resolve } from 'node:path'
import { BashError } from '../../base/errors.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import type { Protection } from './protections.js'

/** What the paths of a policy depend on. */
export interface PolicyPlace {
  /** Where relative paths begin, an absolute path. */
  base: string
  /** Where the command runs. */
  cwd: string
  environment: EncodedEnvironment
  /** The bash that runs the command. */
  shell: string
  /** What messages call the policy. */
  field: string
  /** Without which the command is refused. */
  required: readonly Protection[]
}

/**
 * The absolute path: a relative one begins in the base, `~` is the command's HOME.
 *
 * @throws {BashError} ERR_INVALID_INPUT for `~` where there is no HOME
 */
export function policyPath(field: string, path: string, { base, environment }: PolicyPlace): string {
  if (path !== '~' && !path.startsWith('~/')) return absolutePath(base, path)
  const { home = '' } = environment
  if (!home.startsWith('/')) throw wrongPath(field, path, 'the command has no HOME')
  return absolutePath(home, `.${path.slice(1)}`)
}

/** `..` stays: behind a symbolic link it leads elsewhere than the text says. */
function absolutePath(base: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${base}/${path}`
  return whole.split('/').includes('..') ? whole : resolve(whole)
}

/** An ERR_INVALID_INPUT such as `workspace.writable[0]: /home/me cannot be writable: it is the home directory`. */
export function wrongPath(field: string, path: string, reason: string): BashError {
  return new BashError('ERR_INVALID_INPUT', `${field}: ${path}: ${reason}`)
}
