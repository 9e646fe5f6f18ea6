// Reduces batches to figures.

import { OURS } from './contenders.mjs'
import { selectQuiet } from './noise.mjs'
import { median } from './statistics.mjs'

/**
 * @typedef {{ value: number, min: number, max: number }} Figure value: the median, or the largest for a
 *   quantity of which the worst counts
 * @typedef {object} Row
 * @property {string} case
 * @property {string} contender
 * @property {number} taken batches that ran to their end
 * @property {number} kept batches that the figures come from
 * @property {boolean} noisy whether batches were kept that were not quiet
 * @property {string[]} errors
 * @property {Record<string, Figure>} figures
 */

/**
 * @param {{ key: string, worst?: boolean }[]} quantities
 * @param {import('./rounds.mjs').Taken} series
 * @returns {Row}
 */
export function summarize(quantities, { case: name, contender, batches, errors }) {
  const { kept, noisy } = selectQuiet(batches)
  const figures = {}
  for (const { key, worst = false } of quantities) {
    // Noise excuses no worst case: it is right or wrong.
    const values = (worst ? batches : kept)
      .map(({ value }) => value[key])
      .filter((value) => value !== undefined)
    if (values.length === 0) continue
    const max = Math.max(...values)
    figures[key] = { value: worst ? max : median(values), min: Math.min(...values), max }
  }
  return { case: name, contender, taken: batches.length, kept: kept.length, noisy, errors, figures }
}

/**
 * @param {Row} row
 * @param {Row[]} rows
 * @returns {Record<string, number>} for each quantity bashward's figure in the same case, divided by this row's
 */
export function ratios(row, rows) {
  const ours = rows.find((other) => other.case === row.case && other.contender === OURS)
  if (ours === undefined || ours === row) return {}
  const pairs = Object.entries(row.figures).map(([key, { value }]) => [key, ours.figures[key]?.value / value])
  return Object.fromEntries(pairs.filter(([, ratio]) => Number.isFinite(ratio) && ratio > 0))
}
