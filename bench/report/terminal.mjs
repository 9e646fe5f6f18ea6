// Prints figures as tables for a terminal.

import { describeConditions } from './conditions.mjs'
import { figureText, format, goalText, keptText, order, oursBeside } from './figures.mjs'

/**
 * @param {{ name: string, title: string, quantities: object[], conditions: object }} metric
 * @param {import('../harness/summary.mjs').Row[]} rows
 * @param {import('../harness/goals.mjs').Verdict[]} verdicts
 * @param {(contender: string) => string} titleOf
 * @returns {string}
 */
export function report(metric, rows, verdicts, titleOf) {
  const { cpuid, steal } = describeConditions(metric.conditions)
  const lines = [
    `${metric.name}: ${metric.title}`,
    ...table(metric.quantities, rows, titleOf),
    `  meanwhile: steal ${steal}, cpuid ${cpuid}`,
  ]
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
  const body = order(rows).map((row) => [
    row.case,
    titleOf(row.contender),
    ...quantities.map(({ key }) => figureText(row.figures[key], oursBeside(row, rows)?.figures[key])),
    keptText(row),
  ])
  return align([header, ...body])
}

function verdictCells(quantities, verdict, titleOf) {
  const { case: name, quantity, value, met } = verdict
  const { label, unit } = quantities.find(({ key }) => key === quantity)
  const goal = `${name === undefined ? '' : `${name}, `}${label} ${goalText(verdict, unit, titleOf)}`
  const besides = met === false && verdict.limit !== null ? ` (C limit: ${format(verdict.limit)})` : ''
  const outcome = met === null ? 'not measured' : `${format(value)} ${met ? 'met' : 'MISSED'}${besides}`
  return [`goal: ${goal}`, outcome]
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
