// From figures to pixels: linear from zero, or logarithmic where the figures are far apart.

/** If figures were further apart than this, the small ones would be invisible. */
const MAX_LINEAR_SPAN = 25
const LINEAR_TICKS = 5
/** More powers of ten than this are not all labelled. */
const MAX_DECADES = 6

/**
 * @param {number[]} values not negative; zeros stand at the beginning of either scale
 * @param {number} width pixels
 * @returns {{ isLog: boolean, ticks: number[], at: (value: number) => number }}
 */
export function scaleOf(values, width) {
  const positive = values.filter((value) => value > 0)
  const max = Math.max(...positive)
  const min = Math.min(...positive)
  if (positive.length === 0) return { isLog: false, ticks: [0], at: () => 0 }
  return max / min > MAX_LINEAR_SPAN ? logScale(min, max, width) : linearScale(max, width)
}

function linearScale(max, width) {
  const step = roundStep(max / LINEAR_TICKS)
  const end = Math.ceil(max / step) * step
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) =>
    Number((i * step).toPrecision(6)),
  )
  return { isLog: false, ticks, at: (value) => (Math.max(0, value) / end) * width }
}

/** The next of 1, 2, 5, 10 … */
function roundStep(step) {
  const decade = 10 ** Math.floor(Math.log10(step))
  return decade * [1, 2, 5, 10].find((factor) => factor * decade >= step * 0.999)
}

function logScale(min, max, width) {
  // A little below the smallest; its bar would otherwise have no length.
  const from = Math.floor(Math.log10(min * 0.7))
  const to = Math.ceil(Math.log10(max))
  const every = Math.ceil((to - from) / MAX_DECADES)
  const ticks = []
  for (let power = from; power <= to; power += every) ticks.push(Number((10 ** power).toPrecision(3)))
  const at = (value) => (value <= 0 ? 0 : Math.max(0, ((Math.log10(value) - from) / (to - from)) * width))
  return { isLog: true, ticks, at }
}
