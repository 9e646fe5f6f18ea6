// What can be said of a call that gives no result of a command. Models read these sentences.

import { BashError, type BashErrorCode } from '../../base/errors.js'

/** It may have run. Nobody sends it again unasked. */
export const unknownCodes = ['ERR_WORKER_LOST', 'ERR_NO_ANSWER'] as const satisfies readonly BashErrorCode[]

export interface Refusal {
  code: string
  message: string
  /** Of ERR_FENCED: the conversation is with another worker, or begun anew there. */
  moved?: boolean
}

const lookFirst = 'It may have run, in part or whole; look before you repeat it'

const nothingRan = 'the command did not start, and nothing of it has run'

const did = (reason: string): string => `${nothingRan}: ${reason}`

/** Of a request that is about a command: nothing is said of that one. */
export const ofRequest = ({ code, message }: Refusal): Refusal => ({
  code,
  message: message.replace(nothingRan, 'the request was not carried out'),
})

export const notStarted = (reason: string): Refusal => ({ code: 'ERR_NOT_STARTED', message: did(reason) })
export const closed: Refusal = notStarted('its fleet was closed')
export const late = (queueMs?: number): Refusal => ({
  code: 'ERR_DEADLINE',
  message: did(
    queueMs === undefined
      ? 'it has waited longer than it was allowed to'
      : `it has waited for ${queueMs / 1000} seconds, longer than it was allowed to`,
  ),
})
export const stale: Refusal = {
  code: 'ERR_STALE',
  message: did('it was sent to an earlier process of this worker'),
}
/** @param moved false: Redis knows nothing of the conversation */
export const fenced = (moved: boolean): Refusal => ({
  code: 'ERR_FENCED',
  message: did(
    moved
      ? 'its conversation has been given to another worker, or begun anew'
      : 'its conversation is bound to no worker any more',
  ),
  moved,
})
/** Redis has not heard of it, as its client was gone then; or has forgotten it. */
export const releasedHere: Refusal = {
  code: 'ERR_FENCED',
  message: did('its conversation was released on its worker, or is about to be: release it once more'),
  moved: true,
}
export const busy = (reason: string): Refusal => ({ code: 'ERR_BUSY', message: did(reason) })
export const noWorker = (reason: string): Refusal => ({ code: 'ERR_NO_WORKER', message: did(reason) })
export const unbound: Refusal = noWorker(
  'its conversation is bound to no worker: no command of it was sent, or Redis has forgotten it',
)
export const unsigned = (reason: string): Refusal => ({ code: 'ERR_SIGNATURE', message: did(reason) })
export const tooLarge = (what: string, bytes: number, limit: number): Refusal => ({
  code: 'ERR_TOO_LARGE',
  message: did(`${what} has ${bytes} bytes, and ${limit} are allowed; put it into a file`),
})
export const cancelled: Refusal = { code: 'ERR_CANCELLED', message: 'cancelled before it started' }
export const waitingEnded: Refusal = {
  code: 'ERR_CANCELLED',
  message: 'the waiting was cancelled; the command is not',
}
/** Of a sending that waited for another one. */
export const goesOn: Refusal = {
  code: 'ERR_CANCELLED',
  message: 'cancelled while it waited for another sending of the same call; that goes on',
}

export const workerLost = (worker: string): Refusal => ({
  code: 'ERR_WORKER_LOST',
  message: `the machine that ran this command (${worker}) is gone, and what became of it is not known. ${lookFirst}`,
})
export const noAnswer = (reason: string): Refusal => ({
  code: 'ERR_NO_ANSWER',
  message: `${reason}; what became of this command is not known. ${lookFirst}`,
})

export function asError({ code, message }: Refusal, cause?: unknown): BashError {
  return new BashError(code as BashErrorCode, message, { cause })
}
