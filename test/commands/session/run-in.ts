// A call of a session, with a function in place of the engine.
import type { BashSession, SessionCallOptions } from '../../../lib/commands/session/bash-session.js'
import type { SessionOutcome, SessionTurn, TakenOver } from '../../../lib/commands/session/session-mode.js'

/** How a call has ended, and what its shell has written to the state file. */
export type Ended = SessionOutcome & Pick<SessionTurn, 'state'>

/** Resolves to undefined when the call was cancelled before its turn came. */
export async function runIn<Outcome extends Ended>(
  session: BashSession,
  options: SessionCallOptions,
  execute: (turn: SessionTurn) => Promise<Outcome>,
): Promise<(TakenOver & { outcome: Outcome }) | undefined> {
  const turn = await session.enter(options)
  if (turn === undefined) return undefined
  try {
    const outcome = await execute(turn).catch(async (error: unknown) => {
      throw await turn.explain(error)
    })
    turn.onState(outcome.state)
    return { outcome, ...(await turn.leave(outcome)) }
  } finally {
    turn.release()
  }
}
