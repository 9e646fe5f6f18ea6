// Errors of system calls, in the words of the contract: `chdir /nope: ENOENT (no such file or directory)`.

import { getSystemErrorMap } from 'node:util'
import { BashError, type BashErrorCode, type SystemFailure } from '../errors.js'

export function systemError(code: BashErrorCode, failure: SystemFailure, cause?: unknown): BashError {
  return new BashError(code, describeFailure(failure), { ...failure, cause })
}

export function describeFailure({ step, errno, path }: SystemFailure): string {
  // Node's map has the negative numbers of libuv.
  const [name, text] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, 'unknown error']
  return `${step}${path === undefined ? '' : ` ${path}`}: ${name} (${text})`
}
