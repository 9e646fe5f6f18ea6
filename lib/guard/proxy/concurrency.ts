// A limit on how many jobs of a kind run at once; the others wait for their turn.

/** @param signal who has aborted it waits no longer: the job is rejected with ABORT_ERR, if it has not begun */
export type Limited = <Value>(job: () => Promise<Value>, signal?: AbortSignal) => Promise<Value>

export function limitConcurrency(most: number): Limited {
  const waiting = new Set<() => void>()
  let running = 0

  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(enter)
        reject(Object.assign(new Error('nobody waits for it'), { code: 'ABORT_ERR' }))
      }
      const enter = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave)
      waiting.add(enter)
    })

  return async (job, signal) => {
    if (running >= most) await turn(signal)
    else running += 1
    try {
      return await job()
    } finally {
      const [next] = waiting
      if (next === undefined) running -= 1
      else {
        waiting.delete(next)
        next()
      }
    }
  }
}
