// A call that may start once: its result, whether it runs now, runs already, or has run before.

import { join } from 'node:path'
import { type BashError, messageOf } from '../../base/errors.js'
import { randomHex } from '../../base/util/lazy.js'
import { onAbort } from '../../base/util/listeners.js'
import { signalName } from '../../base/util/signal-names.js'
import type { SandboxName } from '../../guard/sandbox/policy.js'
import type { Engine } from '../../processes/engine/engine.js'
import type { MarkPlan } from '../../processes/engine/request.js'
import type { BashResult } from '../run/result.js'
import { cleanUpNowAndThen } from './clean-up.js'
import { prepareDirectory } from './directory.js'
import { notStarted, reused, waitingCancelled } from './errors.js'
import { type CallRequest, callName, requestDigest } from './identity.js'
import { ledgerEngine } from './ledger-engine.js'
import type { CallIdentity, LedgerSettings } from './ledger-options.js'
import { awaitEnd, type JobFields, resultOf, unknownResult } from './look.js'
import { type CallEnd, isTaken, type Mark, markStep, markText, readMark } from './mark.js'
import { storeResult } from './results.js'

export interface OnceCall {
  ledger: LedgerSettings
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

/** What this process is sending, by the paths of the marks: one after the other. */
const sendings = new Map<string, { digest: string; result: Promise<BashResult> }>()

/**
 * @param perform runs it, with the mark that its supervisor is to make; may throw
 * @throws {BashError} ERR_CALL_ID_REUSED; ERR_NOT_STARTED; ERR_CALL_DIRECTORY; ERR_UNSUPPORTED_PLATFORM; ERR_CANCELLED
 *   while another sending runs; as `perform`, when it was not started
 */
export async function runOnce(
  call: OnceCall,
  perform: (mark: MarkPlan) => Promise<BashResult>,
): Promise<BashResult> {
  const { ledger, identity, request, cancel } = call
  const engine = await ledgerEngine()
  prepareDirectory(ledger)
  const path = join(ledger.directory, callName(ledger.tenant, identity))
  const digest = requestDigest(request)
  for (let other = sendings.get(path); other !== undefined; other = sendings.get(path)) {
    const mark = readMark(path)
    if (typeof mark === 'object' && mark.digest !== digest) throw reused()
    const answer = await unlessCancelled(other.result, cancel)
    // A person has been asked about this very request, and is not asked again.
    if (other.digest === digest && answer?.rejection?.rule === 'not-approved') return { ...answer }
  }
  const result = send(engine, path, digest, call, perform).finally(() => sendings.delete(path))
  sendings.set(path, { digest, result })
  return await result
}

/** @returns undefined when it failed. @throws {BashError} ERR_CANCELLED */
async function unlessCancelled(
  result: Promise<BashResult>,
  cancel: AbortSignal | undefined,
): Promise<BashResult | undefined> {
  let release = () => {}
  const cancelled = new Promise<never>((_, reject) => {
    release = onAbort(cancel, () => reject(waitingCancelled()))
  })
  try {
    return await Promise.race([result.catch(() => undefined), cancelled])
  } finally {
    release()
  }
}

async function send(
  engine: Engine,
  path: string,
  digest: string,
  call: OnceCall,
  perform: (mark: MarkPlan) => Promise<BashResult>,
): Promise<BashResult> {
  for (let tried = 1; ; tried += 1) {
    const earlier = await earlierResult(engine, path, digest, call)
    if (earlier !== undefined) return earlier
    const result = await start(engine, path, digest, call, perform)
    if (result !== undefined) return result
    if (tried === tries) throw notStarted('other processes start it again and again')
  }
}

/** @returns undefined when it has not been started */
async function earlierResult(
  engine: Engine,
  path: string,
  digest: string,
  asked: OnceCall,
): Promise<BashResult | undefined> {
  // Mostly there is none, and this says so without an exception.
  if (engine.isOwned(path) === undefined) return undefined
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
    let failure: unknown
    try {
      result = await perform(mark)
    } catch (error) {
      failure = error
      result = call.failed(error)
    }
    // What the end of a command that was not killed says, its result says as well.
    const found = descriptor !== undefined && !isKilled(result) ? undefined : readAgain(path)
    const made = found !== 'damaged' && found?.nonce === nonce ? found : undefined
    if (!isMade && made === undefined) {
      // Not by this sending. What another one has started meanwhile is the answer, also to one that was not permitted here.
      if (found !== undefined) return undefined
      if (failure === undefined) return result
      if (isTaken(failure)) return undefined
      throw (failure as Partial<BashError>).step === markStep
        ? notStarted(messageOf(failure), failure)
        : failure
    }
    if (made?.end !== undefined) settle(made.end, result, call)
    try {
      await ledger.beforeResult?.(result, identity)
    } catch (error) {
      result.sessionUnsaved ??= messageOf(error)
    }
    // Without a descriptor: into this call's mark, and no other.
    if (descriptor !== undefined || made !== undefined) storeResult(path, descriptor, result)
    return result
  } finally {
    // The lock ends with it: whoever waits reads the result now.
    if (descriptor !== undefined) engine.release(descriptor)
    cleanUpNowAndThen(ledger)
  }
}

/** What cannot be read costs no result. */
function readAgain(path: string): Mark | 'damaged' | undefined {
  try {
    return readMark(path)
  } catch {
    return undefined
  }
}

const isKilled = ({ status }: BashResult): boolean => status === 'timed_out' || status === 'cancelled'

/** An end that was recorded before a timeout or a cancel is what counts, here and for everybody who asks later. */
function settle(end: CallEnd, result: BashResult, { request }: OnceCall): void {
  if (end.kind !== 'ended' || !isKilled(result)) return
  result.status = end.exitCode === 0 ? 'completed' : 'failed'
  result.exitCode = end.exitCode
  result.signal = end.signal === 0 ? null : signalName(end.signal)
  delete result.timeoutMs
  delete result.waitingFor
  // The session has heard of the timeout or the cancel.
  if (request.session !== null)
    result.sessionUnsaved ??= 'cd, export and the like of this call were lost at its cancel'
}
