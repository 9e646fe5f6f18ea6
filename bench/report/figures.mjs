// How figures are ordered and written, wherever they are shown.

import { LIMIT, OURS } from '../harness/contenders.mjs'

/** Three significant digits, without an exponent. @param {number} number */
export function format(number) {
  if (Number.isInteger(number)) return String(number)
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(number))))
  return number.toFixed(Math.min(digits, 4))
}

/** Case by case; bashward first and the limit last. @param {import('../harness/summary.mjs').Row[]} rows */
export function order(rows) {
  const cases = [...new Set(rows.map((row) => row.case))]
  const rank = ({ contender }) => (contender === OURS ? 0 : contender === LIMIT ? 2 : 1)
  return rows.toSorted((a, b) => cases.indexOf(a.case) - cases.indexOf(b.case) || rank(a) - rank(b))
}

/** bashward's row of the same case; undefined for that row itself. */
export function oursBeside(row, rows) {
  if (row.contender === OURS) return undefined
  return rows.find((other) => other.case === row.case && other.contender === OURS)
}

/** @param {{ value: number, min: number, max: number } | undefined} figure @param {object} [ours] bashward's */
export function figureText(figure, ours) {
  if (figure === undefined) return '-'
  const { value, min, max } = figure
  const range = min === max ? '' : ` [${format(min)}–${format(max)}]`
  const ratio = ratioText(ours?.value, value)
  return `${format(value)}${range}${ratio === '' ? '' : ` ${ratio}`}`
}

/** bashward's figure divided by another's; nothing when either is 0 or missing. */
export function ratioText(ours, other) {
  return ours > 0 && other > 0 ? `${format(ours / other)}×` : ''
}

/** What a goal asks for, such as `≤ 0.65 × child_process.spawn`. */
export function goalText({ atMost, atLeast, over }, unit, titleOf) {
  const bound = `${atMost === undefined ? '≥' : '≤'} ${format(atMost ?? atLeast)}`
  return over === undefined ? `${bound} ${unit}`.trim() : `${bound} × ${referenceTitle(over, titleOf)}`
}

function referenceTitle(over, titleOf) {
  if (over === 'best peer') return over
  return over.contender === undefined ? `bashward's ${over.case}` : titleOf(over.contender)
}

/** The batches behind a row. */
export function keptText({ kept, taken, noisy }) {
  return `${kept}/${taken}${noisy ? ' noisy' : ''}`
}
