// What is known of a call: its mark, who holds it, and its result.

import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { signalName } from '../../base/util/signal-names.js'
import type { SandboxName } from '../../guard/sandbox/policy.js'
import type { Engine } from '../../processes/engine/engine.js'
import { type BashResult, type BashStatus, blankResult } from '../run/result.js'
import {
  directoryError,
  hostGoneMessage,
  jobGoneMessage,
  lostMessage,
  notStarted,
  waitingCancelled,
} from './errors.js'
import { type CallEnd, readMark } from './mark.js'
import { readResult } from './results.js'

const { ELOOP, ENXIO } = constants.errno

/** How often to look for the end of a call, milliseconds: at first, and at last. */
const [firstPauseMs, lastPauseMs] = [5, 200]
/** How long the output of a call that has ended is waited for: as long as killing what it left may take. Its host may be stopped. */
const outputMs = 15_000

/** Fills in what a result has of a job. */
export type JobFields = (id: string) => Promise<Partial<BashResult> | undefined>

/** What a result says of a call that its mark does not know. */
export interface Asked {
  command: string
  sandbox?: SandboxName
  jobFields?: JobFields
}

/** Whether somebody runs the call, or is about to keep its result. @throws {BashError} ERR_CALL_DIRECTORY */
export function isOwned(engine: Engine, path: string): boolean {
  const owned = engine.isOwned(path)
  if (typeof owned === 'boolean') return owned
  // Removed meanwhile, or a link or a socket stands there, which nobody has made a mark of.
  if (owned === undefined || owned.errno === ELOOP || owned.errno === ENXIO) return false
  throw directoryError('fcntl', path, { errno: -owned.errno })
}

/**
 * Waits until nobody runs the call any more.
 *
 * @throws {BashError} ERR_CANCELLED; ERR_CALL_DIRECTORY
 */
export async function awaitEnd(engine: Engine, path: string, cancel: AbortSignal | undefined): Promise<void> {
  let pause = firstPauseMs
  let endedAt: number | undefined
  while (isOwned(engine, path)) {
    const mark = readMark(path)
    if (typeof mark === 'object' && mark.end !== undefined) endedAt ??= performance.now()
    if (endedAt !== undefined && performance.now() - endedAt > outputMs) return
    try {
      await delay(pause, undefined, cancel === undefined ? {} : { signal: cancel })
    } catch {
      throw waitingCancelled()
    }
    pause = Math.min(pause * 2, lastPauseMs)
  }
}

/**
 * The result of a call that nobody runs.
 *
 * @returns undefined when its outcome is not known
 */
export async function resultOf(path: string, asked: Asked): Promise<BashResult | undefined> {
  // Read now: before its owner had gone there may have been no end.
  const mark = readMark(path)
  if (typeof mark !== 'object') return undefined
  const stored = readResult(path)
  if (stored !== undefined) return { ...stored, replayed: true }
  if (mark.end === undefined) return undefined
  return { ...(await fromEnd(asked, mark.end)), replayed: true }
}

/** The output was not kept: its host was killed before, or the disk was full. */
async function fromEnd({ command, sandbox, jobFields }: Asked, end: CallEnd): Promise<BashResult> {
  const failed = (code: string, message: string): BashResult => ({
    ...blankResult(command, 'error', sandbox),
    error: { code, message },
  })
  const { kind, exitCode, signal, job = '' } = end
  if (kind === 'not_started') {
    const { code, message } = notStarted(`a step before its shell failed (errno ${end.errno})`)
    return failed(code, message)
  }
  if (kind === 'host_gone') return { ...failed('ERR_WORKER_LOST', hostGoneMessage), outputLost: true }
  if (kind === 'background') {
    const fields = jobFields === undefined ? {} : await jobFields(job)
    if (fields === undefined) return failed('ERR_WORKER_LOST', jobGoneMessage(job))
    return { ...blankResult(command, 'background', sandbox), jobId: job, ...fields }
  }
  const status: BashStatus = kind !== 'ended' ? kind : exitCode === 0 ? 'completed' : 'failed'
  return {
    ...blankResult(command, status, sandbox),
    exitCode,
    signal: signal === 0 ? null : signalName(signal),
    outputLost: true,
  }
}

/** What becomes of a call whose outcome is not known. */
export function unknownResult({ command, sandbox }: Asked): BashResult {
  const error = { code: 'ERR_WORKER_LOST', message: lostMessage }
  return { ...blankResult(command, 'error', sandbox), error, replayed: true }
}
