// Tells whether a quantity has grown, by the slope of all samples after the warm-up: single outliers do not move it.

import { median } from '../harness/statistics.mjs'

/**
 * @typedef {object} Sample what the host held after so many commands, when nothing ran
 * @property {number} commands
 * @property {number} seconds
 * @property {number} rssBytes resident memory after a collection
 * @property {number} fds
 * @property {number} threads
 * @property {number} children
 * @property {number} jobs in the directory of jobs
 * @property {number} jobBytes their files
 */

/** Of the samples, those in which pools fill and code is compiled. */
const WARM_UP = 0.25

/** What a fit over all samples may rise by; the kernel and the allocator give and take pages as they like. */
const allowances = {
  rssBytes: ({ first }) => Math.max(8 * 2 ** 20, first * 0.06),
  fds: () => 0.5,
  threads: () => 0.5,
  children: () => 0.5,
  jobs: () => 8,
  jobBytes: () => 64 * 1024,
}

/** @param {[number, number][]} points @returns {number} the median of the slopes between all pairs (Theil and Sen) */
export function slope(points) {
  const slopes = []
  for (const [i, [x, y]] of points.entries()) {
    for (const [otherX, otherY] of points.slice(i + 1)) {
      if (otherX !== x) slopes.push((otherY - y) / (otherX - x))
    }
  }
  return slopes.length === 0 ? 0 : median(slopes)
}

/** Enough of them for the slope: all pairs of thousands would be millions. */
const thinned = (values, most = 400) => values.filter((_, i) => i % Math.ceil(values.length / most) === 0)

const shown = (name, value) =>
  name.endsWith('Bytes') ? `${(value / 2 ** 20).toFixed(1)} MiB` : String(Math.round(value))

/**
 * @param {Sample[]} samples
 * @returns {{ name: string, first: string, last: string, grown: boolean, text?: string }[]} first and last: the medians
 *   of the first and the last fifth after the warm-up
 */
export function judge(samples) {
  const steady = thinned(samples.slice(Math.ceil(samples.length * WARM_UP)))
  if (steady.length < 5) throw new RangeError('too few samples: the soak was too short')
  const fifth = Math.ceil(steady.length / 5)
  return Object.entries(allowances).map(([name, allowance]) => {
    const values = steady.map((sample) => sample[name])
    const first = median(values.slice(0, fifth))
    const last = median(values.slice(-fifth))
    const points = steady.map((sample) => [sample.commands, sample[name]])
    const commands = points.at(-1)[0] - points[0][0]
    const rise = slope(points) * commands
    const grown = rise > allowance({ first }) && last > first
    const perThousand = (rise / commands) * 1000
    const text =
      name === 'rssBytes' ? `${(perThousand / 1024).toFixed(1)} KiB for 1000 commands by the fit` : undefined
    return {
      name,
      first: shown(name, first),
      last: shown(name, last),
      grown,
      ...(text !== undefined && { text }),
    }
  })
}
