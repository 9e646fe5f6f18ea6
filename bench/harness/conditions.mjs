// What a virtual machine's host does to the figures: how dear it makes the instruction cpuid, and how much of the
// processors' time it gives to others.

import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { measureCpuid } from './limit.mjs'
import { stealMs } from './noise.mjs'
import { median } from './statistics.mjs'

/**
 * @typedef {object} Conditions
 * @property {number | null} cpuidMicroseconds of one instruction; null when it was not measured
 * @property {[number, number]} [cpuidRange] its smallest and largest in the run
 * @property {number} steal share of all processors' time
 */

/** @param {boolean} hasLimit @returns {Promise<() => Conditions>} gives what has been so since */
export async function watchConditions(hasLimit) {
  const cpuids = hasLimit ? await measureCpuid() : []
  const stealBefore = stealMs()
  const begun = performance.now()
  return () => ({
    cpuidMicroseconds: cpuids.length === 0 ? null : median(cpuids),
    steal: (stealMs() - stealBefore) / (performance.now() - begun) / os.cpus().length,
  })
}

/**
 * @param {Conditions[]} parts the same measured several times in the run, for cpuid
 * @param {Conditions} whole
 * @returns {Conditions}
 */
export function combineConditions(parts, whole) {
  const known = [...parts, whole]
    .map(({ cpuidMicroseconds }) => cpuidMicroseconds)
    .filter((value) => value !== null)
  if (known.length === 0) return whole
  return {
    ...whole,
    cpuidMicroseconds: median(known),
    cpuidRange: [Math.min(...known), Math.max(...known)],
  }
}
