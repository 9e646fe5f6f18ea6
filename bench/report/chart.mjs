// One SVG of a metric: a panel for each charted quantity, in it a bar for each contender, case by case.

import { LIMIT, OURS } from '../harness/contenders.mjs'
import { format, order, oursBeside, ratioText } from './figures.mjs'
import { CHART_STYLE } from './palette.mjs'
import { scaleOf } from './scale.mjs'
import { element, textAt } from './svg.mjs'

const WIDTH = 800
const MARGIN = 16
const LABEL_WIDTH = 250
/** Right of the longest bar, for its figure. */
const FIGURE_WIDTH = 130
const BAR_LEFT = MARGIN + LABEL_WIDTH
const BAR_WIDTH = WIDTH - BAR_LEFT - FIGURE_WIDTH - MARGIN
const ROW = 20
const BAR = 12
const CASE_GAP = 24
const PANEL_HEAD = 34
const PANEL_FOOT = 34

/**
 * @param {object} metric of {@link import('../harness/suite.mjs').Results}
 * @param {(contender: string) => string} titleOf
 * @returns {string} an SVG document
 */
export function chart(metric, titleOf) {
  const parts = []
  let top = MARGIN
  for (const quantity of metric.quantities.filter(({ chart }) => chart)) {
    const panel = drawPanel(metric, quantity, titleOf, top)
    parts.push(...panel.parts)
    top = panel.bottom
  }
  const ground = element('rect', { class: 'ground', width: WIDTH, height: top, rx: 6 })
  const size = { viewBox: `0 0 ${WIDTH} ${top}`, width: WIDTH, height: top }
  const body = [element('title', {}, [metric.name]), element('style', {}, [CHART_STYLE]), ground, ...parts]
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', role: 'img', ...size },
    body.map((part) => `\n${part}`),
  )}\n`
}

function drawPanel(metric, quantity, titleOf, top) {
  const rows = order(metric.series).filter((row) => row.figures[quantity.key] !== undefined)
  const goals = metric.goals.filter((goal) => goal.quantity === quantity.key)
  const goalOf = (name) =>
    strictest(
      goals.map(({ bounds }) => bounds[name]).filter((bound) => bound !== undefined),
      quantity,
    )
  const cases = [...new Set(rows.map((row) => row.case))]
  const values = rows.flatMap(({ figures }) => Object.values(figures[quantity.key]))
  const scale = scaleOf([...values, ...cases.map(goalOf).filter((bound) => bound !== undefined)], BAR_WIDTH)

  const marks = []
  let y = top + PANEL_HEAD
  const first = y
  // A contender that is alone in every case needs no name of its own.
  const isGrouped = rows.length > cases.length
  for (const name of cases) {
    const inCase = rows.filter((row) => row.case === name)
    if (isGrouped) {
      marks.push(textAt(MARGIN, y + CASE_GAP - 8, name, 'strong'))
      y += CASE_GAP
    }
    for (const row of inCase) {
      const label = isGrouped ? titleOf(row.contender) : name
      const goal = row.contender === OURS ? goalOf(name) : undefined
      const figure = row.figures[quantity.key]
      const ratio = ratioText(oursBeside(row, rows)?.figures[quantity.key]?.value, figure.value)
      marks.push(...drawRow({ row, figure, label, ratio, goal }, scale, y))
      y += ROW
    }
  }
  return {
    parts: [
      ...drawHead(
        quantity,
        scale,
        top,
        cases.some((name) => goalOf(name) !== undefined),
      ),
      ...drawAxis(scale, first, y),
      ...marks,
    ],
    bottom: y + PANEL_FOOT,
  }
}

/** Of several goals for one figure, the one that is the hardest to reach. */
function strictest(bounds, { higherIsBetter = false }) {
  if (bounds.length === 0) return undefined
  return higherIsBetter ? Math.max(...bounds) : Math.min(...bounds)
}

function drawHead({ label, unit, higherIsBetter = false }, { isLog }, top, hasGoal) {
  const about = `${higherIsBetter ? 'higher' : 'lower'} is better${isLog ? ', logarithmic' : ''}`
  return [
    textAt(MARGIN, top + 14, unit === '' ? label : `${label}, ${unit}`, 'title'),
    textAt(WIDTH - MARGIN - (hasGoal ? 70 : 0), top + 14, about, 'quiet', 'end'),
    ...(hasGoal ? [textAt(WIDTH - MARGIN, top + 14, '| goal', 'goal-text', 'end')] : []),
  ]
}

function drawAxis({ ticks, at }, top, bottom) {
  return ticks.flatMap((tick) => {
    const x = BAR_LEFT + at(tick)
    return [
      element('line', { class: 'grid', x1: x, x2: x, y1: top, y2: bottom }),
      textAt(x, bottom + 14, String(tick), 'quiet', 'middle'),
    ]
  })
}

function drawRow({ row, figure, label, ratio, goal }, { at }, y) {
  const { value, min, max } = figure
  const isOurs = row.contender === OURS
  const className = isOurs ? 'ours' : row.contender === LIMIT ? 'limit' : 'peer'
  const middle = y + ROW / 2
  const line = (name, from, to, y1, y2) =>
    element('line', { class: name, x1: BAR_LEFT + at(from), x2: BAR_LEFT + at(to), y1, y2 })
  const marks = [
    textAt(BAR_LEFT - 8, middle + 4, label, isOurs ? 'strong' : undefined, 'end'),
    element('rect', { class: className, x: BAR_LEFT, y: middle - BAR / 2, width: at(value), height: BAR }),
  ]
  if (max > min) marks.push(line('range', min, max, middle, middle))
  if (goal !== undefined) marks.push(line('goal', goal, goal, y, y + ROW))
  // Drawn last, because it may stand on a line.
  const text = `${format(value)}${ratio === '' ? '' : ` (${ratio})`}`
  marks.push(textAt(BAR_LEFT + at(max) + 6, middle + 4, text, row.noisy ? 'figure quiet' : 'figure'))
  return marks
}
