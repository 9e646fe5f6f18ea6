// A limit on how many jobs of a kind run at once; the others wait for their turn.

export type Limited = <Value>(job: () => Promise<Value>) => Promise<Value>

export function limitConcurrency(most: number): Limited {
  const waiting: (() => void)[] = []
  let running = 0
  return async (job) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
