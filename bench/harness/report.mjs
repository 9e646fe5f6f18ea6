// Prints figures as tables for a terminal.

import { LIMIT, OURS } from './contenders.mjs'

/**
 * @param {{ name: string, title: string, quantities: object[] }} metric
 * @param {import('./summary.mjs').Row[]} rows
 * @param {import('./goals.mjs').Verdict[]} verdicts
 * @param {(contender: string) => string} titleOf
 * @returns {string}
 */
export function report(metric, rows, verdicts, titleOf) {
  const lines = [`${metric.name}: ${metric.title}`, ...table(metric.quantities, rows, titleOf)]
  for (const { case: name, contender, errors } of rows) {
    if (errors.length > 0)
      lines.push(`  ! ${name}, ${titleOf(contender)}: ${errors[0]} (${errors.length} times)`)
  }
  lines.push(...align(verdicts.map((verdict) => verdictCells(metric.quantities, verdict, titleOf))))
  return lines.join('\n')
}

function table(quantities, rows, titleOf) {
  const header = [
    'case',
    'contender',
    ...quantities.map(({ label, unit }) => `${label} ${unit}`.trim()),
    'kept',
  ]
  const body = order(rows).map((row) => {
    const ours = rows.find((other) => other.case === row.case && other.contender === OURS)
    return [
      row.case,
      titleOf(row.contender),
      ...quantities.map(({ key }) =>
        figureCell(row.figures[key], row === ours ? undefined : ours?.figures[key]),
      ),
      `${row.kept}/${row.taken}${row.noisy ? ' noisy' : ''}`,
    ]
  })
  return align([header, ...body])
}

// Case by case; bashward first and the limit last.
function order(rows) {
  const cases = [...new Set(rows.map((row) => row.case))]
  const rank = ({ contender }) => (contender === OURS ? 0 : contender === LIMIT ? 2 : 1)
  return rows.toSorted((a, b) => cases.indexOf(a.case) - cases.indexOf(b.case) || rank(a) - rank(b))
}

function figureCell(figure, ours) {
  if (figure === undefined) return '-'
  const { value, min, max } = figure
  const range = min === max ? '' : ` [${format(min)}–${format(max)}]`
  const ratio = ours !== undefined && value > 0 ? ` ${format(ours.value / value)}×` : ''
  return `${format(value)}${range}${ratio}`
}

function verdictCells(quantities, verdict, titleOf) {
  const { case: name, quantity, atMost, atLeast, over, value, met } = verdict
  const { label, unit } = quantities.find(({ key }) => key === quantity)
  const bound = `${atMost === undefined ? '≥' : '≤'} ${format(atMost ?? atLeast)}`
  const goal = over === undefined ? `${bound} ${unit}`.trim() : `${bound} × ${referenceTitle(over, titleOf)}`
  const outcome = met === null ? 'not measured' : `${format(value)} ${met ? 'met' : 'MISSED'}`
  return [`goal: ${name === undefined ? '' : `${name}, `}${label} ${goal}`, outcome]
}

function referenceTitle(over, titleOf) {
  if (over === 'best peer') return over
  return over.contender === undefined ? `${over.case} host` : titleOf(over.contender)
}

function align(rows) {
  const widths = []
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length)
    })
  }
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
}

/** Three significant digits, without an exponent. */
function format(number) {
  if (Number.isInteger(number)) return String(number)
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(number))))
  return number.toFixed(Math.min(digits, 4))
}
