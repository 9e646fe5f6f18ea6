// One command with a lot of output: throughput, and what it costs the host in time and memory.

import fs from 'node:fs'
import { performance } from 'node:perf_hooks'

/** @param {{ command: string, bytes: number, end?: string, cwd: string }} request */
export async function stream({ command, bytes, end = '', cwd }, contender) {
  const rssBefore = resetPeakMemory()
  const turnsBefore = loopTurns()
  const cpuBefore = process.cpuUsage()
  const utilization = performance.eventLoopUtilization()
  const begun = performance.now()
  const { output, outputBytes } = await contender.run(command, { cwd })
  const wallMs = performance.now() - begun
  const { utilization: busy } = performance.eventLoopUtilization(utilization)
  const cpu = process.cpuUsage(cpuBefore)
  const turns = loopTurns() - turnsBefore
  const growthBytes = memory('VmHWM') - rssBefore

  // null: this contender counts nothing.
  if (outputBytes !== null && outputBytes !== bytes)
    throw new Error(`expected ${bytes} bytes, counted ${outputBytes}`)
  if (!output.trimEnd().endsWith(end)) throw new Error(`the output does not end in ${JSON.stringify(end)}`)
  return {
    wall: wallMs,
    rate: bytes / wallMs / 1e6,
    busy: busy * 100,
    cpu: (cpu.user + cpu.system) / 1000,
    growth: growthBytes / 2 ** 20,
    ...(Number.isNaN(turns) ? {} : { turns }),
  }
}

/** Sets the high-water mark back to what is resident now (proc_pid_clear_refs(5)); gives it in bytes. */
function resetPeakMemory() {
  fs.writeFileSync('/proc/self/clear_refs', '5')
  return memory('VmRSS')
}

function memory(field) {
  const [, kilobytes] = fs
    .readFileSync('/proc/self/status', 'latin1')
    .match(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm'))
  return Number(kilobytes) * 1024
}

/** Turns of the event loop so far; NaN before Node 20.18. */
function loopTurns() {
  return performance.nodeTiming.uvMetricsInfo?.loopCount ?? Number.NaN
}
