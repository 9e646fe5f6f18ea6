// docs/benchmarks.md: what a run has measured, as tables and charts.

import { OURS } from '../harness/contenders.mjs'
import { figureText, format, goalText, keptText, order, oursBeside } from './figures.mjs'

/**
 * @param {import('../harness/suite.mjs').Results} results
 * @param {(name: string) => string} chartOf the path of a metric's chart, from the page
 * @returns {string} Markdown
 */
export function page({ machine, settings, contenders, titles, metrics, notes }, chartOf) {
  const titleOf = (contender) => titles[contender] ?? contender
  return `${[
    '# Benchmarks',
    'How bashward compares with other tools, and with what a C program can do. `npm run bench -- --publish` writes this page; do not edit it by hand. [bench/README.md](../bench/README.md) explains each metric, how it is measured, and what counts as noise.',
    ...(settings === 'full' ? [] : ['**A quick run with small batches, good only for a first look.**']),
    table([['', ''], ...Object.entries(machine)]),
    `Measured: ${contenders.join(' · ')}.`,
    '## Goals',
    table([
      ['metric', 'goal', 'reached', '', 'C limit'],
      ...metrics.flatMap((metric) => goalRows(metric, titleOf)),
    ]),
    'The C limit is a small C program that does the same work without the guarantees. A goal that it misses too is out of reach on this machine. [Where the time goes](../bench/README.md#where-the-time-goes) explains the other missed goals.',
    'The tables below show the median [smallest–largest batch], then bashward’s median ÷ this one’s. *kept* counts the batches that were quiet enough, of those taken.',
    ...metrics.flatMap((metric) => section(metric, titleOf, chartOf(metric.name))),
    ...(notes.length === 0 ? [] : ['## Left out', notes.map((note) => `- ${note}`).join('\n')]),
  ].join('\n\n')}\n`
}

function goalRows({ name, quantities, goals }, titleOf) {
  return goals.map((goal) => {
    const { label, unit } = quantities.find(({ key }) => key === goal.quantity)
    const what = `${goal.case === undefined ? '' : `${goal.case}: `}${label} ${goalText(goal, unit, titleOf)}`
    const outcome = goal.met === null ? '' : goal.met ? 'met' : '**missed**'
    const limit = goal.limit === null ? '' : format(goal.limit)
    return [name, what, goal.value === null ? 'not measured' : format(goal.value), outcome, limit]
  })
}

function section({ name, title, quantities, series }, titleOf, chart) {
  const header = ['case', '', ...quantities.map(({ label, unit }) => `${label} ${unit}`.trim()), 'kept']
  const rows = order(series).map((row) => [
    row.case,
    row.contender === OURS ? `**${titleOf(row.contender)}**` : titleOf(row.contender),
    ...quantities.map(({ key }) => figureText(row.figures[key], oursBeside(row, series)?.figures[key])),
    keptText(row),
  ])
  const failures = series
    .filter(({ errors }) => errors.length > 0)
    .map((row) => `- ${row.case}, ${titleOf(row.contender)}: ${row.errors[0]} (${row.errors.length} times)`)
  return [
    `## ${name}`,
    `${title}:`,
    `![${name}](${chart})`,
    table([header, ...rows]),
    ...(failures.length === 0 ? [] : [failures.join('\n')]),
  ]
}

function table([header, ...rows]) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** Text that cannot end its cell, nor become a tag. */
const cell = (text) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;').replace(/`/g, '\\`')
