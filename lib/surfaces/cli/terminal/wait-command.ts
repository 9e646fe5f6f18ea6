// `bashward jobs wait` of a job with a terminal: until that waits for input, or the job has ended.

import { BashError } from '../../../base/errors.js'
import type { JobStore } from '../../../commands/jobs/store.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'

/** Of one wait of a terminal, milliseconds. */
const longestWaitMs = 86_400_000

/**
 * @param timeoutMs undefined: without end
 * @param signal ends the waiting
 * @returns how it is once it waits for input; undefined: the job has ended, or the time is up
 * @throws {BashError} ERR_JOB_NOT_FOUND; ERR_TERMINAL; ERR_CANCELLED by the signal
 */
export async function waitForInput(
  id: string,
  store: JobStore,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<TerminalState | undefined> {
  const terminal = store.open(id)
  const deadline = Date.now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  try {
    for (;;) {
      const left = Math.max(0, Math.min(longestWaitMs, deadline - Date.now()))
      const state = await terminal.wait({ timeoutMs: left, signal })
      if (state.reason === 'input') return state
      if (state.reason === 'ended' || Date.now() >= deadline) return undefined
    }
  } catch (error) {
    if (BashError.isInstance(error) && error.code === 'ERR_JOB_NOT_RUNNING') return undefined
    throw error
  } finally {
    terminal.close()
  }
}
