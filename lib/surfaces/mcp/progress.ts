// Progress notifications of a call: signs of life, for clients that would give a silent call up.

/** What a notification says besides its token. */
export interface Progress {
  /** Seconds since the call came in; each is greater than the one before, as the protocol demands. */
  progress: number
  message: string
}

/**
 * Sends one notification now, and one at each beat. Resolves when the first is on its way: none may follow the result.
 *
 * @param describe what is going on, so many seconds after the call came in
 * @returns a function that ends this
 */
export async function startHeartbeat(
  intervalMs: number,
  send: (progress: Progress) => Promise<void>,
  describe: (elapsedS: number) => Promise<string>,
): Promise<() => void> {
  const startedAt = performance.now()
  // A client that is gone, or a job that cannot be read, is found by the call itself.
  const report = (progress: number, message: string) => send({ progress, message }).catch(() => {})
  await report(0, 'started')
  let isStopped = false
  const timer = setInterval(async () => {
    const elapsed = (performance.now() - startedAt) / 1000
    const message = await describe(Math.round(elapsed))
    if (!isStopped) await report(elapsed, message)
  }, intervalMs)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
