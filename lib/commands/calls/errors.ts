// What can be said of a call that gives no result of a command. Models read these sentences.

import { constants } from 'node:os'
import { BashError, describeFailure, messageOf, systemError } from '../../base/errors.js'
import { otherState } from '../../base/util/own-state.js'

/** It may be sent again, under a new id or, if its mark was not made, the same. */
export function notStarted(reason: string, cause?: unknown): BashError {
  const { step, errno, path } = BashError.isInstance(cause) ? cause : {}
  const failure = { ...(step && { step }), ...(errno !== undefined && { errno }), ...(path && { path }) }
  const message = `the command did not start, and nothing of it has run: ${reason}`
  return new BashError('ERR_NOT_STARTED', message, { ...failure, cause })
}

/** Its outcome is not known, and never will be. */
export const lostMessage =
  'it is not known what became of this command: what ran it was lost before it could record the end. ' +
  'It may have run, in part or whole; look before you repeat it'

export const hostGoneMessage =
  'the program that ran this command ended, and the command was killed with it. ' +
  'It has run, in part or whole, and its output is lost; look before you repeat it'

export function jobGoneMessage(id: string): string {
  return `the command was started as background job ${id}, of which nothing is known any more. It may have run, in part or whole; look before you repeat it`
}

export function reused(): BashError {
  const message =
    'this call id has been used for another request (another command, directory, sandbox or tool); the command was not run'
  return new BashError('ERR_CALL_ID_REUSED', message)
}

/** Of a sending that waited for another one. */
export function waitingCancelled(): BashError {
  const message = 'cancelled while it waited for an earlier sending of the same call; that goes on'
  return new BashError('ERR_CANCELLED', message)
}

export function directoryError(step: string, path: string, cause: unknown): BashError {
  const { errno } = cause as NodeJS.ErrnoException
  if (errno === undefined) return new BashError('ERR_CALL_DIRECTORY', messageOf(cause), { cause })
  return systemError('ERR_CALL_DIRECTORY', { step, errno: Math.abs(errno), path }, cause)
}

export function refusedDirectory(path: string, reason: string): BashError {
  const failure = { step: 'check', errno: constants.errno.EPERM, path }
  return new BashError('ERR_CALL_DIRECTORY', `${describeFailure(failure)}: ${reason}`, failure)
}

export function noStateDirectory(): BashError {
  const failure = { step: 'find', errno: constants.errno.ENOENT, path: 'the home directory' }
  return new BashError('ERR_CALL_DIRECTORY', `${describeFailure(failure)}: ${otherState}`, failure)
}
