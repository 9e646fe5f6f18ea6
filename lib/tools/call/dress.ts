// What the result of a call says besides what its command did.

import { part } from '../../base/util/load-part.js'
import type { LoginEnvironment } from '../../commands/run/login/login-environments.js'
import type { ResolvedOptions } from '../../commands/run/resolved-options.js'
import type { BashResult } from '../../commands/run/result.js'
import type { SessionTurn } from '../../commands/session/session-mode.js'
import { limitMessage, restrictedLimits } from '../../guard/sandbox/resource-limits.js'
import type { Call, Pass } from './call.js'
import type * as ExitAnswer from './exit-answer.js'

export interface Dressing {
  call: Call
  pass: Pass
  login: LoginEnvironment | undefined
  /** Of a call in a session, which takes over here what the command has left. */
  turn: SessionTurn | undefined
}

export async function dress(result: BashResult, { call, pass, login, turn }: Dressing): Promise<BashResult> {
  const { plan, judgement, readConfined } = pass
  result.display = plan.display
  if (judgement !== undefined) result.judgement = judgement
  if (readConfined) result.readConfined = true
  login?.tell(result)
  if (result.exitCode === 1) exitAnswers().addAnswer(call, plan, result)
  if (turn === undefined) return result
  const unsaved = await leaveSession(call, turn, pass, result)
  if (unsaved !== undefined) result.sessionUnsaved = unsaved
  return result
}

const exitAnswers = part((): typeof ExitAnswer => require('./exit-answer.js'))

const unsavedReading = 'with git among its commands it ran confined, and leaves nothing to the session'

/** @returns why the session is as it was before, where that has to be said */
async function leaveSession(
  call: Call,
  turn: SessionTurn,
  { plan, takes, dropsChanges }: Pass,
  result: BashResult,
): Promise<string | undefined> {
  const { status, signal, backgroundAfterMs } = result
  const isOver = status === 'completed' || status === 'failed'
  const end = !isOver ? 'stopped' : signal === null ? 'exited' : 'signalled'
  const cut = cutBy(result, turn.state, plan.options)
  const { unsaved, isFresh } = await turn.leave({ end, cut, takes })
  const dropped = dropsChanges ? unsavedReading : undefined
  if (unsaved === undefined) return dropped
  // A background job leaves nothing to a session by its nature, and a command that was killed says so itself.
  if (backgroundAfterMs !== undefined)
    return 'the command goes on as a job, and leaves nothing to the session'
  if (end === 'exited' || cut !== undefined || isFresh) return unsaved
  return status === 'timed_out' ? lostAtTimeout(call) : dropped
}

function lostAtTimeout(call: Call): string {
  const lost = 'cd, export and the like of this call were lost at the timeout'
  const moreTime = call.moreTime?.()
  return moreTime === undefined ? lost : `${lost}; for more time: ${moreTime}`
}

/** The limit that may have cut the state of a session. What is written to it is no more than a file may hold. */
function cutBy(
  result: BashResult,
  state: Buffer | undefined,
  { sandbox, limits }: ResolvedOptions,
): string | undefined {
  const { fileSizeBytes } = sandbox === 'unrestricted' ? limits : restrictedLimits(limits)
  const isFull = fileSizeBytes !== undefined && (state?.length ?? 0) >= fileSizeBytes
  return isFull ? limitMessage({ limit: 'fileSize', limitValue: fileSizeBytes }) : limitMessage(result)
}
