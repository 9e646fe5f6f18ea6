// The one error class of the package, the codes that callers may hold on to, and the words for errors of the system.

import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'

/** Stable codes of {@link BashError}. */
export type BashErrorCode =
  /** An argument or input field has the wrong type or lies outside its range. */
  | 'ERR_INVALID_INPUT'
  /** A safety rule refused the command. It has not run. */
  | 'ERR_COMMAND_REJECTED'
  /** A safety rule that the host added has thrown, see `cause`. The command has not run. */
  | 'ERR_SAFETY_RULE'
  /** The working directory is missing, not a directory, or not accessible. */
  | 'ERR_WORKING_DIR'
  /** The command could not be started: no bash, no processes or descriptors left, … */
  | 'ERR_SPAWN'
  /** The process that watches over the command was killed or stopped answering. */
  | 'ERR_SUPERVISOR_LOST'
  /** The sandbox that was asked for cannot be offered here. */
  | 'ERR_SANDBOX_UNAVAILABLE'
  /** A step of the sandbox failed. The command has not run. */
  | 'ERR_SANDBOX_SETUP'
  /** A part of the sandbox ended before the command did, which was killed then with everything it had started. */
  | 'ERR_SANDBOX_LOST'
  /** There is no background job with this id, or no longer. */
  | 'ERR_JOB_NOT_FOUND'
  /** The background job has ended already. */
  | 'ERR_JOB_NOT_RUNNING'
  /** The background job cannot be killed: its supervisor may not be signalled, or does not answer, or is gone. */
  | 'ERR_JOB_NOT_KILLED'
  /** The terminal of a job cannot be had, or has not taken what was typed. */
  | 'ERR_TERMINAL'
  /** As many background jobs run as are allowed. */
  | 'ERR_TOO_MANY_JOBS'
  /** Another watcher has the name of this consumer. */
  | 'ERR_CONSUMER_BUSY'
  /** A filter is not a regular expression that is supported, or too large. */
  | 'ERR_INVALID_FILTER'
  /** Rules about commands are not what `loadPolicy` takes, or do not match their own examples. */
  | 'ERR_POLICY'
  /** The caller has cancelled a call that was waiting or reading; what it was about goes on. */
  | 'ERR_CANCELLED'
  /** A snapshot of a session is not to be believed: changed, cut, of another key or conversation, or none at all. */
  | 'ERR_SNAPSHOT'
  /** A snapshot of a session has a format that this version does not read. */
  | 'ERR_SNAPSHOT_VERSION'
  /** A snapshot of a session is older than the one that was asked for. */
  | 'ERR_SNAPSHOT_STALE'
  /** What was given, or would come out, has more bytes than its limit. */
  | 'ERR_TOO_LARGE'
  /** A call did not start, and nothing of it has run: its mark could not be made, or a step before its shell failed. */
  | 'ERR_NOT_STARTED'
  /** What ran a call was lost: it may have run, in part or whole. */
  | 'ERR_WORKER_LOST'
  /** The id of a call was used for another request before. It has not run. */
  | 'ERR_CALL_ID_REUSED'
  /** A call of a fleet was given up without an answer: it may have run, in part or whole. */
  | 'ERR_NO_ANSWER'
  /** A call of a fleet has waited longer than it was allowed to, and did not start. */
  | 'ERR_DEADLINE'
  /** A call was sent to an earlier process of its worker, and did not start. */
  | 'ERR_STALE'
  /** The conversation of a call is not that worker's any more. The call did not start. */
  | 'ERR_FENCED'
  /** A tenant, a conversation or a worker has as many calls as are allowed. This one did not start. */
  | 'ERR_BUSY'
  /** No worker is there that could take a call, or the one that has its conversation is not. It did not start. */
  | 'ERR_NO_WORKER'
  /** A worker does not accept who has signed a call, or for what. It did not start. */
  | 'ERR_SIGNATURE'
  /** The directory of a ledger of calls, or a file in it, cannot be used. */
  | 'ERR_CALL_DIRECTORY'
  /** The directory of the background jobs, or a file in it, cannot be used. */
  | 'ERR_JOB_DIRECTORY'
  /** The native addon cannot be loaded on this system. */
  | 'ERR_UNSUPPORTED_PLATFORM'
  /** A fault of bashward itself. */
  | 'ERR_INTERNAL'

/** Where a system call failed. */
export interface SystemFailure {
  /** The step that failed, named after its system call: `'chdir'`, `'execve'`, `'clone'`, … */
  step: string
  /** The error number, positive: 2 for ENOENT. */
  errno: number
  /** The file or directory concerned, when there is one. */
  path?: string
}

export interface BashErrorOptions extends Partial<SystemFailure> {
  cause?: unknown
}

const brand = Symbol.for('bashward.BashError')

/**
 * Every error that bashward throws or rejects with. Recognise it by `code`, or by {@link BashError.isInstance},
 * which also holds for an instance made by another copy of the package.
 */
export class BashError extends Error {
  override readonly name = 'BashError'
  readonly code: BashErrorCode
  /** For system errors: the step that failed. */
  readonly step?: string
  /** For system errors: the error number, positive. */
  readonly errno?: number
  /** For system errors: the path concerned. */
  readonly path?: string

  constructor(code: BashErrorCode, message: string, options: BashErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.step !== undefined) this.step = options.step
    if (options.errno !== undefined) this.errno = options.errno
    if (options.path !== undefined) this.path = options.path
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether `value` is a BashError of any copy of this package. */
  static isInstance(value: unknown): value is BashError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  try {
    return String(error)
  } catch {
    // An object without a prototype, say.
    return 'something that is no text'
  }
}

/** What a result has of an error. */
export function describeError(error: unknown): { code: BashErrorCode; message: string } {
  return { code: BashError.isInstance(error) ? error.code : 'ERR_INTERNAL', message: messageOf(error) }
}

/** The error of a system call: `chdir /nope: ENOENT (no such file or directory)`. */
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

let namesByNumber: ReadonlyMap<number, string> | undefined

/** Made when an error is first named: most processes meet none. */
function errorNames(): ReadonlyMap<number, string> {
  namesByNumber ??= new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]))
  return namesByNumber
}
