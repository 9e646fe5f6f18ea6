// A time limit that tells nobody it has passed while what came in time still lies there.

/**
 * Calls `passed` after `ms` milliseconds, once the event loop has looked at its descriptors after that. Node runs due timers
 * first: after SIGSTOP, or a suspended machine, an answer that came in time would be too late.
 *
 * @returns ends the limit
 */
export function timeLimit(ms: number, passed: () => void): () => void {
  let look: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    look = setImmediate(passed)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(look)
  }
}
