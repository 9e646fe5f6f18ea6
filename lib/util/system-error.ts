// Errors of system calls, in the words of the contract: `chdir /nope: ENOENT (no such file or directory)`.

import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import { BashError, type BashErrorCode, type SystemFailure } from '../errors.js'
import { once } from './once.js'

export function systemError(code: BashErrorCode, failure: SystemFailure, cause?: unknown): BashError {
  return new BashError(code, describeFailure(failure), { ...failure, cause })
}

export function describeFailure({ step, errno, path }: SystemFailure): string {
  const what = path === undefined ? step : `${step} ${shorten(path)}`
  // Node's map has the negative numbers of libuv, and only the errors that libuv knows.
  const known = getSystemErrorMap().get(-errno)
  if (known !== undefined) return `${what}: ${known[0]} (${known[1]})`
  const name = errorNames().get(errno) ?? `errno ${errno}`
  const text = errno === constants.errno.ENOEXEC ? 'exec format error' : 'unknown error'
  return `${what}: ${name} (${text})`
}

/** A path may be of any length, and this is read by a model. */
function shorten(path: string): string {
  return path.length > 1000 ? `${path.slice(0, 1000)}…` : path
}

const errorNames = once(
  () => new Map(Object.entries(constants.errno).map(([name, number]) => [number, name])),
)
