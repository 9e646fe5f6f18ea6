// A call that may start once: its result, whether it runs now, runs already, or has run before.

import { join } from 'node:path'
import { provenEngine } from '../engine/choose.js'
import type { Engine, MarkPlan } from '../engine/engine.js'
import { BashError, messageOf } from '../errors.js'
import type { BashResult } from '../run/result.js'
import type { SandboxName } from '../sandbox/policy.js'
import { randomHex } from '../util/lazy.js'
import type { CallIdentity, CallLedger } from './call-ledger.js'
import { cleanUpNowAndThen } from './clean-up.js'
import { prepareDirectory } from './directory.js'
import { notStarted, reused } from './errors.js'
import { type CallRequest, callName, requestDigest } from './identity.js'
import { awaitEnd, type JobFields, resultOf, unknownResult } from './look.js'
import { isTaken, type Mark, markStep, markText, readMark } from './mark.js'
import { storeResult } from './results.js'

export interface OnceCall {
  ledger: CallLedger
  identity: CallIdentity
  request: CallRequest
  command: string
  sandbox: SandboxName
  cancel: AbortSignal | undefined
  jobFields: JobFields
  /** The result of a command that did not start. */
  failed(error: unknown): BashResult
}

/** Somebody else may start it at the same moment, and a mark may be cleaned up: more often is no accident. */
const tries = 4

/**
 * @param perform runs it, with the mark that its supervisor is to make; may throw
 * @throws {BashError} ERR_CALL_ID_REUSED; ERR_NOT_STARTED; ERR_CALL_DIRECTORY; ERR_UNSUPPORTED_PLATFORM; ERR_CANCELLED
 *   while another process runs it; as `perform`, when it was not started
 */
export async function runOnce(
  call: OnceCall,
  perform: (mark: MarkPlan) => Promise<BashResult>,
): Promise<BashResult> {
  const { ledger, identity, request } = call
  const engine = await ledgerEngine()
  prepareDirectory(ledger)
  const path = join(ledger.directory, callName(ledger.tenant, identity))
  const digest = requestDigest(request)
  for (let tried = 1; ; tried += 1) {
    const earlier = await earlierResult(engine, path, digest, call)
    if (earlier !== undefined) return earlier
    const result = await start(engine, path, digest, call, perform)
    if (result !== undefined) return result
    if (tried === tries) throw notStarted('other processes start it again and again')
  }
}

/** @throws {BashError} ERR_UNSUPPORTED_PLATFORM */
export async function ledgerEngine(): Promise<Engine> {
  const { engine } = await provenEngine()
  if (engine.name === 'native') return engine
  const message = 'a CallLedger needs the native engine: the portable one cannot mark a call before it starts'
  throw new BashError('ERR_UNSUPPORTED_PLATFORM', message)
}

/** @returns undefined when it has not been started */
async function earlierResult(
  engine: Engine,
  path: string,
  digest: string,
  asked: OnceCall,
): Promise<BashResult | undefined> {
  const mark = readMark(path)
  if (mark === undefined) return undefined
  if (mark === 'damaged') return unknownResult(asked)
  if (mark.digest !== digest) throw reused()
  await awaitEnd(engine, path, asked.cancel)
  return (await resultOf(path, asked)) ?? unknownResult(asked)
}

/** @returns undefined when another process was faster */
async function start(
  engine: Engine,
  path: string,
  digest: string,
  call: OnceCall,
  perform: (mark: MarkPlan) => Promise<BashResult>,
): Promise<BashResult | undefined> {
  const { ledger, identity } = call
  const nonce = randomHex(8)
  let isMade = false
  let descriptor: number | undefined
  const mark: MarkPlan = {
    text: markText(path, digest, nonce),
    durable: ledger.durable,
    onMade(given) {
      isMade = true
      descriptor = given
    },
  }
  try {
    let result: BashResult
    try {
      result = await perform(mark)
    } catch (error) {
      if (!isMade && isTaken(error)) return undefined
      if (!isMade)
        throw (error as Partial<BashError>).step === markStep ? notStarted(messageOf(error), error) : error
      result = call.failed(error)
    }
    const made = isMade || result.error?.code === 'ERR_SUPERVISOR_LOST' ? readAgain(path) : undefined
    if (made === undefined) return result
    // Its supervisor was lost before it could say that somebody else's was faster.
    if (made.nonce !== nonce) return undefined
    settle(made, result)
    try {
      await ledger.beforeResult?.(result, identity)
    } catch (error) {
      result.sessionUnsaved ??= messageOf(error)
    }
    storeResult(path, made, result)
    return result
  } finally {
    // The lock ends with it: whoever waits reads the result now.
    if (descriptor !== undefined) engine.release(descriptor)
    cleanUpNowAndThen(ledger)
  }
}

/** What cannot be read costs no result. */
function readAgain(path: string): Mark | undefined {
  try {
    const mark = readMark(path)
    return typeof mark === 'object' ? mark : undefined
  } catch {
    return undefined
  }
}

/** An end that was recorded before a timeout or a cancel is what counts, here and for everybody who asks later. */
function settle({ end }: Mark, result: BashResult): void {
  const isKilled = result.status === 'timed_out' || result.status === 'cancelled'
  if (end?.kind !== 'ended' || !isKilled) return
  result.status = end.exitCode === 0 ? 'completed' : 'failed'
  result.exitCode = end.exitCode
  delete result.timeoutMs
  delete result.waitingFor
}
