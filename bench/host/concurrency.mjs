// Many commands at once: how many a second, and how much they delay the event loop.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { countCpu } from './cpu-time.mjs'

/** The histogram holds the time between two ticks of a timer of this period, so the period is no delay. */
const RESOLUTION_MS = 1

/** @param {{ command: string, expected: string, count: number, inFlight: number, cwd: string }} request */
export async function concurrency({ command, expected, count, inFlight, cwd }, contender) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let started = 0
  const worker = async () => {
    while (started < count) {
      started++
      const { output } = await contender.run(command, { cwd })
      if (output.trim() !== expected) throw new Error(`expected ${expected}, got ${JSON.stringify(output)}`)
    }
  }

  const cpuOf = countCpu()
  delay.enable()
  const utilization = performance.eventLoopUtilization()
  const begun = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const elapsedMs = performance.now() - begun
  const { utilization: busy } = performance.eventLoopUtilization(utilization)
  // A delay enters the histogram at the tick that follows it.
  await sleep(5)
  delay.disable()
  const cpu = cpuOf(count)

  const excess = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  return {
    rate: (count / elapsedMs) * 1000,
    delayMax: excess(delay.max),
    delayP99: excess(delay.percentile(99)),
    busy: busy * 100,
    ...cpu,
  }
}
