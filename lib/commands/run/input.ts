// What a command reads from stdin.

import { BashError } from '../../base/errors.js'
import { invalidInput } from '../../base/util/invalid-input.js'

const maxInputBytes = 256 * 1024 ** 2

/** @returns a copy. @throws {BashError} ERR_INVALID_INPUT */
export function checkInput(field: string, value: unknown): Uint8Array | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
    throw invalidInput(field, 'must be a string or a Uint8Array', value)
  }
  const length = typeof value === 'string' ? Buffer.byteLength(value) : value.length
  if (length <= maxInputBytes) return typeof value === 'string' ? Buffer.from(value) : Buffer.from(value)
  throw new BashError(
    'ERR_INVALID_INPUT',
    `${field}: must be at most ${maxInputBytes} bytes (got ${length}); let the command read a file`,
  )
}

let own: 'file' | 'socket' | undefined

/** What commands read by default: a descriptor of this process. Undefined: nothing. */
export const ownInput = (): number | undefined => (own === undefined ? undefined : 0)

/** Whether it is a socket that a command reads. */
export const isSocket = (input: Uint8Array | number | undefined): boolean =>
  typeof input === 'number' && own === 'socket'

/** For a program that runs a single command: that reads what the program itself would. */
export function passOnStdin(kind: 'file' | 'socket'): void {
  own = kind
}
