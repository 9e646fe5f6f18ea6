// Durations in results.

/** Milliseconds since a value of `performance.now()`, with three decimals: the clock promises no more. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000
}
