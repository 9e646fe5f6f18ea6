// What confinement adds to a command: the same one with and without, turn by turn.

import { performance } from 'node:perf_hooks'
import { median } from '../harness/statistics.mjs'
import { countCpu } from './cpu-time.mjs'

const WARM_UP = 2

/** @param {{ command: string, count: number, cwd: string }} request */
export async function restricted({ command, count, cwd }, contender) {
  const ways = {
    free: () => contender.run(command, { cwd }),
    confined: () => contender.runConfined(command, { cwd }),
  }
  const times = { free: [], confined: [] }
  const cpu = { free: [], confined: [] }
  for (let i = -WARM_UP; i < count; i++) {
    for (const [way, run] of Object.entries(ways)) {
      const cpuOf = countCpu()
      const called = performance.now()
      const { exitCode } = await run()
      if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
      const time = performance.now() - called
      if (i < 0) continue
      times[way].push(time)
      cpu[way].push(cpuOf(1).cpu)
    }
  }
  const free = median(times.free)
  const confined = median(times.confined)
  return {
    added: confined - free,
    confined,
    free,
    ...(cpu.free[0] !== undefined && { cpu: median(cpu.confined) - median(cpu.free) }),
  }
}
