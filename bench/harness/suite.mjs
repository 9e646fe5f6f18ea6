// All metrics of one run: prints each as it comes, and returns them in one object at the end.

import os from 'node:os'
import { describeConditions } from '../report/conditions.mjs'
import { report } from '../report/terminal.mjs'
import { makeCgroup } from './cgroup.mjs'
import { combineConditions, watchConditions } from './conditions.mjs'
import { findContenders, LIMIT } from './contenders.mjs'
import { judge } from './goals.mjs'
import { describeMachine } from './machine.mjs'
import { ratios, summarize } from './summary.mjs'

/**
 * @typedef {object} Results
 * @property {Record<string, string>} machine
 * @property {import('./conditions.mjs').Conditions} conditions of the whole run
 * @property {'quick' | 'full'} settings
 * @property {string[]} contenders titles of those that took part
 * @property {Record<string, string>} titles of all that series are filed under
 * @property {object[]} metrics name, title, conditions, quantities, series (rows with ratios and batches), goals (verdicts)
 * @property {string[]} notes what was left out, and why
 */

/**
 * @param {object[]} metrics
 * @param {{ quick: boolean, hasLimit: boolean, note: (text: string) => void }} options
 * @returns {Promise<Omit<Results, 'notes'>>}
 */
export async function runSuite(metrics, { quick, hasLimit, note }) {
  const settings = quick ? 'quick' : 'full'
  const conditionsOfRun = await watchConditions(hasLimit)
  const machine = {
    ...describeMachine(),
    'CPU time': makeCgroup() ?? (hasLimit ? 'getrusage' : 'not measured'),
  }
  console.log(list({ ...machine, cpuid: describeConditions(conditionsOfRun()).cpuid }))
  const { contenders, missing } = await findContenders()
  for (const reason of missing) note(`not measured: ${reason}`)
  console.log('\nmedian [min–max] ratio; ratio: bashward ÷ this one; kept: quiet batches of those taken')

  const titles = { [LIMIT]: 'C limit' }
  for (const { name, title } of contenders) titles[name] = title
  const measured = []
  for (const metric of metrics) {
    Object.assign(titles, metric.titles)
    try {
      measured.push(await measure(metric))
    } catch (error) {
      note(`${metric.name} failed: ${error.message}`)
    }
  }
  const parts = measured.map(({ conditions }) => conditions)
  const conditions = combineConditions(parts, conditionsOfRun())
  console.log(`\nin the whole run:\n${list(describeConditions(conditions))}`)
  return {
    machine: { ...machine, ...describeConditions(conditions) },
    conditions,
    settings,
    contenders: contenders.map(({ title }) => title),
    titles,
    metrics: measured,
  }

  async function measure(metric) {
    const fit = contenders.filter(({ title, unfit }) => {
      const reason = unfit[metric.name]
      if (reason !== undefined) note(`${metric.name} without ${title}: ${reason}`)
      return reason === undefined
    })
    const given = { contenders: fit, hasLimit, cwd: os.tmpdir(), note }
    const conditionsOfMetric = await watchConditions(hasLimit)
    const series = await metric.measure(given, metric.settings[settings])
    const conditions = conditionsOfMetric()
    const rows = series.map((taken) => summarize(metric.quantities, taken))
    const peers = fit.filter(({ peer }) => peer).map(({ name }) => name)
    const verdicts = judge(metric, rows, peers)
    console.log(`\n${report({ ...metric, conditions }, rows, verdicts, (name) => titles[name] ?? name)}`)
    return {
      name: metric.name,
      title: metric.title,
      conditions,
      quantities: metric.quantities,
      series: rows.map((row, i) => ({ ...row, ratios: ratios(row, rows), batches: series[i].batches })),
      goals: verdicts,
    }
  }
}

/** @param {Record<string, string>} texts */
function list(texts) {
  return Object.entries(texts)
    .map(([key, text]) => `${key}: ${text}`)
    .join('\n')
}
