// npm run bench: measures bashward beside its peers and beside what a C program can do at all.

import fs from 'node:fs'
import os from 'node:os'
import { runAsUser } from './harness/as-user.mjs'
import { findContenders, LIMIT } from './harness/contenders.mjs'
import { judge } from './harness/goals.mjs'
import { installSandboxRuntime, SANDBOX_RUNTIME } from './harness/install.mjs'
import { buildLimit } from './harness/limit.mjs'
import { describeMachine } from './harness/machine.mjs'
import { parseOptions, USAGE } from './harness/options.mjs'
import { report } from './harness/report.mjs'
import { summarize } from './harness/summary.mjs'
import check from './metrics/check.mjs'
import concurrency from './metrics/concurrency.mjs'
import flood from './metrics/flood.mjs'
import jobs from './metrics/jobs.mjs'
import kill from './metrics/kill.mjs'
import latency from './metrics/latency.mjs'
import restricted from './metrics/restricted.mjs'
import tiny from './metrics/tiny.mjs'

const METRICS = [latency, concurrency, flood, tiny, kill, jobs, check, restricted]

async function main() {
  const names = METRICS.map(({ name }) => name)
  const options = parse(names)
  if (options.help) {
    process.stdout.write(USAGE.replace('NAMES', names.join(', ')))
    return 0
  }
  const notes = []
  const note = (text) => {
    notes.push(text)
    console.log(`note: ${text}`)
  }
  const hasLimit = await buildLimit().then(
    () => true,
    (error) => note(`no C limit: ${error.message}`) ?? false,
  )
  if (options.only.includes(restricted.name)) {
    await installSandboxRuntime().catch((error) =>
      note(`no ${SANDBOX_RUNTIME.title}: ${error.message.split('\n')[0]}`),
    )
  }
  if (options.user !== undefined) return runAsUser(options.user, options)

  const machine = describeMachine()
  console.log(
    Object.entries(machine)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n'),
  )
  const { contenders, missing } = await findContenders()
  for (const reason of missing) note(`not measured: ${reason}`)
  console.log('\nmedian [min–max] ratio; ratio: bashward ÷ this one; kept: quiet batches of those taken')

  const titles = new Map([[LIMIT, 'C limit'], ...contenders.map(({ name, title }) => [name, title])])
  const results = []
  for (const metric of METRICS.filter(({ name }) => options.only.includes(name))) {
    results.push(await measure(metric))
  }
  if (options.json !== undefined) {
    const settings = options.quick ? 'quick' : 'full'
    fs.writeFileSync(
      options.json,
      `${JSON.stringify({ machine, settings, notes, metrics: results }, null, 2)}\n`,
    )
  }
  return 0

  async function measure(metric) {
    const fit = contenders.filter(({ unfit }) => !unfit.includes(metric.name))
    const settings = metric.settings[options.quick ? 'quick' : 'full']
    const series = await metric.measure({ contenders: fit, hasLimit, cwd: os.tmpdir(), note }, settings)
    const rows = series.map((taken) => summarize(metric.quantities, taken))
    const peers = fit.filter(({ peer }) => peer).map(({ name }) => name)
    const verdicts = judge(metric, rows, peers)
    console.log(`\n${report(metric, rows, verdicts, (name) => titles.get(name) ?? name)}`)
    return {
      name: metric.name,
      title: metric.title,
      quantities: metric.quantities,
      series: rows.map((row, i) => ({ ...row, batches: series[i].batches })),
      goals: verdicts,
    }
  }
}

function parse(names) {
  try {
    return parseOptions(process.argv.slice(2), names)
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE.replace('NAMES', names.join(', '))}`)
    process.exit(2)
  }
}

process.exitCode = await main()
