// The CPU time of this process and of all that it starts.

import fs from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const VARIABLE = 'BASHWARD_BENCH_CGROUP'

/** @type {(() => number) | undefined} ms so far */
let cpuMs

/**
 * Joins the harness's control group, before anything else is started. Without one it is getrusage(2), which knows of
 * the descendants that have ended; without a C compiler it is nothing.
 */
export function joinCgroup() {
  const directory = process.env[VARIABLE]
  // Commands get the environment that they would have without a benchmark.
  delete process.env[VARIABLE]
  if (directory !== undefined) {
    fs.writeFileSync(`${directory}/cgroup.procs`, '0')
    cpuMs = readerOf(directory)
    return
  }
  try {
    const { childrenCpuMs } = require('../results/children.node')
    cpuMs = () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000 + childrenCpuMs()
    }
  } catch {
    // It could not be built.
  }
}

/** @param {string} directory */
function readerOf(directory) {
  const accounted = `${directory}/cpuacct.usage`
  const isAccounted = fs.existsSync(accounted)
  const file = isAccounted ? accounted : `${directory}/cpu.stat`
  const perMs = isAccounted ? 1e6 : 1e3
  // A number, or lines of which the first is `usage_usec NUMBER`.
  return () => Number(fs.readFileSync(file, 'latin1').match(/\d+/)[0]) / perMs
}

/** @returns {(calls: number) => { cpu?: number }} gives what has been used since, for each call */
export function countCpu() {
  if (cpuMs === undefined) return () => ({})
  const before = cpuMs()
  return (calls) => ({ cpu: (cpuMs() - before) / calls })
}
