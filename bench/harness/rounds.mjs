// Takes the batches of several series in turn, so that anything else the machine does affects all of them.

import { performance } from 'node:perf_hooks'
import { observe, selectQuiet } from './noise.mjs'
import { shuffle } from './statistics.mjs'

/** A series that failed this often is given up. */
const MAX_ERRORS = 3
/** How many batches are taken at most for one that is wanted. */
const MAX_EXCESS = 2

/**
 * @typedef {object} Series
 * @property {string} case what distinguishes it from others of the same metric and contender
 * @property {string} contender
 * @property {() => Promise<Record<string, number>>} run takes one batch, and gives a number for each quantity
 *
 * @typedef {object} Taken
 * @property {string} case
 * @property {string} contender
 * @property {{ value: Record<string, number>, around: number, during: number, steal: number }[]} batches
 * @property {string[]} errors
 */

/**
 * Runs rounds of one batch a series, in a new order each round, until every series has `wanted` quiet
 * batches, or twice as many at all, or the time is up. Each series gets one batch even then.
 * @param {Series[]} plan
 * @param {{ wanted: number, budgetMs: number }} limits
 * @returns {Promise<Taken[]>}
 */
export async function takeRounds(plan, { wanted, budgetMs }) {
  const deadline = performance.now() + budgetMs
  const all = plan.map(({ run, ...series }) => ({ ...series, run, batches: [], errors: [] }))
  const isOpen = ({ batches, errors }) =>
    errors.length < MAX_ERRORS &&
    batches.length < wanted * MAX_EXCESS &&
    (batches.length < wanted || selectQuiet(batches).kept.length < wanted)
  const isDue = (series) => isOpen(series) && (series.batches.length === 0 || performance.now() < deadline)

  while (all.some(isDue)) {
    for (const series of shuffle(all.filter(isDue))) {
      if (isDue(series)) await takeBatch(series)
    }
  }
  return all.map(({ run, ...taken }) => taken)
}

async function takeBatch({ run, batches, errors }) {
  try {
    batches.push(await observe(run))
  } catch (error) {
    errors.push(error.message)
  }
}
