// The machine's conditions as text.

import { format } from './figures.mjs'

/** A start of bash executes about so many, nearly all in ld.so. */
const CPUIDS_PER_BASH = 43

/**
 * @param {import('../harness/conditions.mjs').Conditions} conditions
 * @param {string} [architecture]
 * @returns {{ cpuid: string, steal: string }}
 */
export function describeConditions({ cpuidMicroseconds, cpuidRange, steal }, architecture = process.arch) {
  return { cpuid: cpuidText(), steal: `${format(Math.max(0, steal) * 100)} %` }

  function cpuidText() {
    if (architecture !== 'x64') return `no such instruction on ${architecture}`
    if (cpuidMicroseconds === null) return 'not measured'
    const range = cpuidRange === undefined ? '' : ` [${cpuidRange.map(format).join('–')}]`
    const perBash = format((cpuidMicroseconds * CPUIDS_PER_BASH) / 1000)
    return `${format(cpuidMicroseconds)}${range} µs; ${CPUIDS_PER_BASH} in a start of bash: ${perBash} ms`
  }
}
