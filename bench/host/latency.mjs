// One command after the other: how long each takes, and how long the event loop is busy with it.

import { performance } from 'node:perf_hooks'
import { median } from '../harness/statistics.mjs'
import { countCpu } from './cpu-time.mjs'

/** After another contender has forked, the first write to every page of the host costs a page fault. */
const WARM_UP = 2

/** @param {{ command: string, confined: boolean, count: number, cwd: string }} request */
export async function latency({ command, confined, count, cwd }, contender) {
  const run = confined ? contender.runConfined : contender.run
  for (let i = 0; i < WARM_UP; i++) await run.call(contender, command, { cwd })
  const total = []
  const block = []
  const cpuOf = countCpu()
  const before = performance.eventLoopUtilization()
  for (let i = 0; i < count; i++) {
    const called = performance.now()
    const promise = run.call(contender, command, { cwd })
    const returned = performance.now()
    const { exitCode } = await promise
    total.push(performance.now() - called)
    block.push(returned - called)
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
  }
  const { active } = performance.eventLoopUtilization(before)
  const cpu = cpuOf(count)
  return { p50: median(total), busy: active / count, block: median(block), ...cpu }
}
