// What a command waits for when its timeout comes: it is looked at shortly before, while its processes live, and in a process
// of its own, so that nothing holds up the kill.

import { part } from '../../base/util/load-part.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import type { Engine } from '../../processes/engine/engine.js'
import type * as Explain from '../../terminals/explain/explain.js'
import type { WaitingFor } from '../../terminals/explain/waiting-for.js'

/** A shorter timeout leaves no time to start that process on a machine that is busy. Milliseconds. */
const leastTimeoutMs = 2_000
/** How long before the timeout it is started: at most, and as a part of the timeout. */
const longestLeadMs = 4_000
const leadPart = 0.5

const explain = part((): typeof Explain => require('../../terminals/explain/explain.js'))

export interface Explanation {
  /**
   * To be called at the end of the command.
   *
   * @param hide takes out of a text what is secret
   */
  end(completion: Completion, hide?: (text: string) => string): Promise<WaitingFor[]> | undefined
}

/**
 * Of a command that is being started.
 *
 * @returns undefined when its timeout explains nothing
 */
export function explanationAtTimeout(engine: Engine, timeoutMs: number): Explanation | undefined {
  if (timeoutMs < leastTimeoutMs) return undefined
  const leadMs = Math.min(longestLeadMs, leadPart * timeoutMs)
  let look: Explain.TimeoutLook | undefined
  const timer = setTimeout(() => {
    try {
      look = explain().lookBeforeTimeout(engine, timeoutMs - leadMs, leadMs)
    } catch {
      // No descriptor is left to load it: the command ends as it does without.
    }
  }, timeoutMs - leadMs).unref()
  return {
    end({ outcome, pid }, hide) {
      clearTimeout(timer)
      if (outcome === Outcome.timedOut) return look?.take(pid, hide)
      look?.drop()
      return undefined
    },
  }
}
