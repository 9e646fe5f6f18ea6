// Waits for a condition with a deadline, so that no test sleeps for a guessed time.

export interface WaitOptions {
  /** What is waited for; named in the error. */
  what: string
  /** Milliseconds until it is an error. Generous: machines under test are loaded. */
  deadlineMs?: number
  /** Milliseconds between two looks. */
  intervalMs?: number
}

/**
 * Polls `condition` until it gives something truthy, and resolves with that.
 * Rejects when the deadline has passed, naming what was waited for and the last value seen.
 */
export const waitFor = async <T>(
  condition: () => T | Promise<T>,
  { what, deadlineMs = 10_000, intervalMs = 20 }: WaitOptions,
): Promise<NonNullable<T>> => {
  const end = Date.now() + deadlineMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() >= end) {
      throw new Error(`waited ${deadlineMs} ms in vain for: ${what} (last seen: ${JSON.stringify(value)})`)
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
    // Node runs timers as long as any is due: several slow looks would keep it from all I/O.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
