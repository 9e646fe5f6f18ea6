import type { Steps } from '../../../lib/commands/session/reading.js'

/** Carries out the work at once. */
export const atOnce = <Value>(steps: Steps<Value>): Value => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
