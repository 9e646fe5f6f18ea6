// How long a thread has been off the processor. The kernel notes when it was put on one, in the time of that processor,
// which stands still while the hypervisor runs something else. What that time is now is known of the processors that this
// process has been on itself, and of no others.

import type { Proc } from './proc.js'
import { readStat } from './processes.js'

export class RunClock {
  /** Of each processor: what the clock of this process is ahead of its own, milliseconds. */
  readonly #ahead = new Map<number, number>()

  /** To be called whenever this process has just been woken. */
  calibrate(proc: Proc): void {
    const startedAt = lastStart(proc, 'self')
    const now = performance.now()
    const processor = readStat(proc, 'self')?.processor
    if (startedAt === undefined || processor === undefined) return
    // It may have run for a while by now: the smallest difference is the true one.
    this.#ahead.set(processor, Math.min(now - startedAt, this.#ahead.get(processor) ?? Infinity))
  }

  /** Milliseconds; undefined when that is not known. */
  offProcessor(proc: Proc, pid: number, thread: number): number | undefined {
    const path = `${pid}/task/${thread}`
    const ahead = this.#ahead.get(readStat(proc, path)?.processor ?? -1)
    const startedAt = ahead === undefined ? undefined : lastStart(proc, path)
    if (ahead === undefined || startedAt === undefined) return undefined
    const off = performance.now() - startedAt - ahead
    return off < -100 ? undefined : Math.max(0, off)
  }
}

function lastStart(proc: Proc, path: string): number | undefined {
  const [, value] = /^se\.exec_start\s*:\s*(\d+\.\d+)$/m.exec(proc.text(`${path}/sched`, 1024) ?? '') ?? []
  return value === undefined ? undefined : Number(value)
}
