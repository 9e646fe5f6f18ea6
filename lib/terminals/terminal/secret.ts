// A secret that goes to a terminal: what may be one, and why it was not typed.

import { constants } from 'node:os'
import { BashError } from '../../base/errors.js'
import { invalidInput } from '../../base/util/invalid-input.js'
import type { SecretTakenFields } from './frames.js'
import { quoteName } from './names.js'

export const maxSecretBytes = 1024

/** C0, DEL, and C1. */
const controls = /[\0-\x1f\x7f-\x9f]/
const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f

/**
 * A copy of it, for {@link Buffer.fill}. Errors do not have it.
 *
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function secretBytes(field: string, secret: unknown): Buffer {
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array)) {
    throw invalidInput(field, 'must be a string or a Uint8Array', typeof secret)
  }
  const size = typeof secret === 'string' ? Buffer.byteLength(secret) : secret.length
  if (size > maxSecretBytes) throw refused(field, `must be at most ${maxSecretBytes} bytes, and has ${size}`)
  const hasControls = typeof secret === 'string' ? controls.test(secret) : secret.some(isControl)
  if (hasControls) throw refused(field, 'must be one line without control characters; Enter follows it')
  const bytes = Buffer.alloc(size)
  if (typeof secret === 'string') bytes.write(secret)
  else bytes.set(secret)
  return bytes
}

const refused = (field: string, need: string): BashError =>
  new BashError('ERR_INVALID_INPUT', `${field}: ${need}`)

const { EAGAIN, EBUSY, ENOBUFS, EPERM, ESTALE } = constants.errno

const reasons: Readonly<Record<number, string>> = {
  [EAGAIN]: 'another one is on its way to this terminal, or it cannot be looked who would read it; try again',
  [ENOBUFS]: 'too many different ones have been typed into this terminal',
  [EPERM]: 'it would be shown: the program does not wait for a line that is not',
  [ESTALE]: 'it is not asked for any more: something has been printed or typed, or another program reads now',
}

/** @param taken with its error number */
export function secretRefusal({
  error,
  pid,
  name,
}: Pick<SecretTakenFields, 'error' | 'pid' | 'name'>): BashError {
  const shared = `${pid} ${quoteName(name)} reads the same terminal, and might get it`
  const reason = error === EBUSY ? shared : (reasons[error] ?? `error ${error}`)
  return new BashError('ERR_TERMINAL', `the secret was not typed: ${reason}`, { errno: error })
}
