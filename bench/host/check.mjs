// One check after the other: how long each takes, and the longest time that the event loop stands still.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../harness/statistics.mjs'

/** The histogram holds the time between two ticks of a timer of this period, so the period is no delay. */
const RESOLUTION_MS = 1

/** Checks that do not count: they compile the code. */
const WARM_UP = 2

/** @param {{ command: string, count: number, cwd: string, judges?: boolean }} request */
export async function check({ command, count, cwd, judges = false }) {
  const { checkCommand, judgeCommand } = await import('../../dist/index.mjs')
  const ask = judges ? judgeCommand : checkCommand
  const options = { workingDir: cwd }
  if (count > 1) for (let i = 0; i < WARM_UP; i++) await ask(command, options)
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const total = []
  delay.enable()
  for (let i = 0; i < count; i++) {
    const called = performance.now()
    const verdict = ask(command, options)
    if (verdict instanceof Promise) await verdict
    total.push(performance.now() - called)
    // Each check gets its own turn of the event loop, as calls of a tool do.
    await sleep(0)
  }
  // A delay enters the histogram at the tick that follows it.
  await sleep(5)
  delay.disable()
  return { p50: median(total), block: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) }
}
