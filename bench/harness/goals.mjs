// Compares bashward's figures with what they should be.

import { LIMIT, OURS } from './contenders.mjs'

/**
 * @typedef {object} Goal
 * @property {string} quantity
 * @property {string} [case] only this one; otherwise the worst of all
 * @property {number} [atMost] what bashward's figure, or its ratio, may not exceed
 * @property {number} [atLeast] what it may not fall below
 * @property {'best peer' | { contender: string } | { case: string }} [over] makes it a ratio: to the best
 *   peer, to one contender in the same case, or to bashward itself in another case
 *
 * @typedef {Goal & { value: number | null, met: boolean | null, limit: number | null, bounds: Record<string, number> }} Verdict
 *   value, met: null when it could not be measured; limit: what the C limit reaches, null where it is the measure or
 *   takes no part; bounds: for each case, what bashward's figure is held to
 */

/**
 * @param {{ quantities: object[], goals: Goal[] }} metric
 * @param {import('./summary.mjs').Row[]} rows
 * @param {string[]} peers names of the contenders that are peers
 * @returns {Verdict[]}
 */
export function judge({ quantities, goals }, rows, peers) {
  const figure = (name, contender, quantity) =>
    rows.find((row) => row.case === name && row.contender === contender)?.figures[quantity]?.value

  return goals.map((goal) => {
    const { quantity, atMost, atLeast, over } = goal
    const cases = goal.case === undefined ? [...new Set(rows.map((row) => row.case))] : [goal.case]
    const bounds = {}
    for (const name of cases) {
      const reference = referenceOf(over, name, quantity)
      if (reference !== undefined) bounds[name] = (atMost ?? atLeast) * reference
    }
    const value = worstOf(OURS)
    const met = value === null ? null : atMost === undefined ? value >= atLeast : value <= atMost
    return {
      ...goal,
      value,
      met,
      limit: over?.contender === LIMIT || over?.case ? null : worstOf(LIMIT),
      bounds,
    }

    function worstOf(contender) {
      const values = cases.map((name) => {
        const reference = referenceOf(over, name, quantity)
        const own = figure(name, contender, quantity)
        return own === undefined || reference === undefined ? undefined : own / reference
      })
      if (values.length === 0 || values.includes(undefined)) return null
      return atMost === undefined ? Math.min(...values) : Math.max(...values)
    }
  })

  function referenceOf(over, name, quantity) {
    if (over === undefined) return 1
    if (over === 'best peer') {
      const known = peers.map((peer) => figure(name, peer, quantity)).filter((value) => value !== undefined)
      if (known.length === 0) return undefined
      const { higherIsBetter = false } = quantities.find(({ key }) => key === quantity)
      return higherIsBetter ? Math.max(...known) : Math.min(...known)
    }
    return over.contender === undefined
      ? figure(over.case, OURS, quantity)
      : figure(name, over.contender, quantity)
  }
}
