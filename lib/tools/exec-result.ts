// What the exec tool gives, made of what the engine gives.

import { constants } from 'node:os'
import { BashError, type BashErrorCode, describeError } from '../base/errors.js'
import type { RunResult } from '../commands/run/build-result.js'
import { exitStatusOf, signalStatus } from '../commands/run/exit-status.js'
import type { BashStatus } from '../commands/run/result.js'
import type { Denial } from '../guard/sandbox/denials.js'
import type { SandboxPolicy } from '../guard/sandbox/policy.js'
import type { Judgement } from '../guard/verdicts/judgement.js'
import { type WaitingFor, waitingLine } from '../terminals/explain/waiting-for.js'
import { shellError } from './exec-shell-error.js'
import { denialNote } from './sandbox-notes.js'

export interface ExecResult {
  /** At most 1 MiB, decoded; of more the beginning, and `... (truncated)`. */
  stdout: string
  /** Likewise. */
  stderr: string
  /** 0…255, for signal n 128 + n as a shell has it; null when the command did not start or did not run to its end. */
  exitCode: number | null
  /**
   * Why the command could not be executed, or did not run to its end; or what the sandbox has probably refused, with an
   * exit code of 0 too. An exit code other than 0 alone is no error: it is the command's own word.
   */
  error?: string
  /** As in the result of the bash tool, and the next three. Not in Restricted mode, of which `error` says as much. */
  denials?: Denial[]
  denialsDropped?: number
  protectedChanged?: string[]
  protectedDropped?: number
  /** As in the result of the bash tool, and the next. */
  loginError?: string
  redacted?: Record<string, number>
  /** Of a command that timed out, as in the result of the bash tool. */
  waitingFor?: WaitingFor[]
  /** As in the result of the bash tool, and the next two. */
  judgement?: Judgement
  readConfined?: true
  granted?: Partial<SandboxPolicy>[]
}

/** What the fields of a result do not tell: how the command ended. */
const statuses = new WeakMap<ExecResult, BashStatus>()

/** The status that a result was made of. */
export function execStatus(result: ExecResult): BashStatus {
  return statuses.get(result) ?? 'error'
}

/** As `exitStatusOf`. */
export function execExitStatus(result: ExecResult): number {
  return exitStatusOf({ status: execStatus(result), exitCode: result.exitCode, signal: null })
}

/** @param result of a run with separate streams, or of a command that did not start */
export function toExecResult(result: RunResult): ExecResult {
  const { stdout = '', stderr = '', signal, loginError, redacted } = result
  const exitCode = exitCodeOf(result)
  const error =
    signal === null || result.status !== 'failed' ? errorOf(result) : `command killed by ${signal}`
  const isNamed = result.sandbox !== 'restricted'
  const named: Partial<RunResult> = isNamed ? result : {}
  const { denials, denialsDropped, protectedChanged, protectedDropped } = named
  const { waitingFor = [], judgement, readConfined, granted } = result
  const execResult: ExecResult = {
    stdout,
    stderr,
    exitCode,
    ...(error === undefined ? {} : { error }),
    ...(denials === undefined ? {} : { denials }),
    ...(denialsDropped === undefined ? {} : { denialsDropped }),
    ...(protectedChanged === undefined ? {} : { protectedChanged }),
    ...(protectedDropped === undefined ? {} : { protectedDropped }),
    ...(loginError === undefined ? {} : { loginError }),
    ...(redacted === undefined ? {} : { redacted }),
    ...(waitingFor.length === 0 ? {} : { waitingFor }),
    ...(judgement === undefined ? {} : { judgement }),
    ...(readConfined === undefined ? {} : { readConfined }),
    ...(granted === undefined ? {} : { granted }),
  }
  statuses.set(execResult, result.status)
  return execResult
}

/** The JSON of the result, with its fields in a fixed order. */
export function execText(result: ExecResult): string {
  const { stdout, stderr, exitCode, error, loginError, protectedChanged, waitingFor } = result
  const whenItTimedOut = waitingFor && waitingLine(waitingFor)
  return JSON.stringify({ stdout, stderr, exitCode, error, loginError, protectedChanged, whenItTimedOut })
}

/** How bash ended after it was told to is no answer to what the command was to find out. */
function exitCodeOf({ status, exitCode, signal }: RunResult): number | null {
  if (status !== 'completed' && status !== 'failed') return null
  return signal === null ? exitCode : signalStatus(signal)
}

function errorOf(result: RunResult) {
  const { status, exitCode, stdout = '', stderr = '', timeoutMs, rejection, error } = result
  switch (status) {
    case 'completed':
      return lostOutput(result) ?? blockedBy(result)
    case 'failed':
      return (
        lostOutput(result) ??
        (exitCode === null ? undefined : shellError(exitCode, stdout, stderr)) ??
        blockedBy(result)
      )
    case 'timed_out':
      return timeoutMs === undefined ? 'command timed out' : `command timed out after ${timeoutMs / 1000}s`
    case 'cancelled':
      return 'command cancelled'
    case 'rejected':
      return rejection?.why === undefined
        ? `command rejected: ${rejection?.rule}: ${error?.message}`
        : `needs approval: ${rejection.why}: ${error?.message}`
    case 'invalid':
      return `invalid input: ${error?.message}`
    default:
      return error?.message
  }
}

/** Of a call that was sent again. */
function lostOutput(result: RunResult): string | undefined {
  return result.outputLost ? 'the command has run; what it printed was not kept' : undefined
}

/** The program may have said nothing at all, and hardly ever says that it was the sandbox. */
function blockedBy(result: RunResult): string | undefined {
  return result.denied === undefined ? undefined : `perhaps blocked by the sandbox: ${denialNote(result)}`
}

const resourceErrors: ReadonlySet<number | undefined> = new Set(
  (['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOSPC'] as const).map(
    (name) => constants.errno[name],
  ),
)

const startFailures: { readonly [Code in BashErrorCode]?: string } = {
  ERR_INVALID_INPUT: 'invalid input',
  ERR_SPAWN: 'command could not be started',
  ERR_SANDBOX_UNAVAILABLE: 'sandbox unavailable',
  ERR_WORKING_DIR: 'working directory cannot be used',
}

/** Describes an exception that kept a command from starting. */
export function describeStartFailure(error: unknown): { code: BashErrorCode; message: string } {
  const { code, message } = describeError(error)
  const reason =
    BashError.isInstance(error) && resourceErrors.has(error.errno)
      ? 'system resources unavailable'
      : startFailures[code]
  return { code, message: reason === undefined ? message : `${reason}: ${message}` }
}
