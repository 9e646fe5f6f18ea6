// npm run bench: measures bashward beside its peers and beside what a C program can do at all.

import fs from 'node:fs'
import os from 'node:os'
import { runAsUser } from './harness/as-user.mjs'
import { buildLimit } from './harness/limit.mjs'
import { parseOptions, USAGE } from './harness/options.mjs'
import { installPeers } from './harness/peers.mjs'
import { runSuite } from './harness/suite.mjs'
import calls from './metrics/calls.mjs'
import check from './metrics/check.mjs'
import concurrency from './metrics/concurrency.mjs'
import flood from './metrics/flood.mjs'
import jobs from './metrics/jobs.mjs'
import kill from './metrics/kill.mjs'
import latency from './metrics/latency.mjs'
import load from './metrics/load.mjs'
import redact from './metrics/redact.mjs'
import restricted from './metrics/restricted.mjs'
import tiny from './metrics/tiny.mjs'
import workspace from './metrics/workspace.mjs'
import { publish } from './report/publish.mjs'

const METRICS = [
  latency,
  concurrency,
  flood,
  tiny,
  kill,
  restricted,
  workspace,
  jobs,
  calls,
  check,
  redact,
  load,
]

// As in a terminal: without it bash reads ~/.bashrc where its stdin is a socket, as child_process.exec's is.
if (!(Number(process.env.SHLVL) >= 1)) process.env.SHLVL = '1'

// Else a signal would end this process without its exit handlers, and leave a control group and directories behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => process.exit(128 + os.constants.signals[signal]))
}

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
  try {
    installPeers()
  } catch (error) {
    note(`no peers from npm: ${error.message.split('\n').slice(0, 2).join(' ')}`)
  }
  const { status, results } = await takeResults()
  if (status !== 0) return status
  if (options.json !== undefined) fs.writeFileSync(options.json, results)
  if (options.publish) {
    for (const file of publish(JSON.parse(results))) console.log(`wrote ${file}`)
  }
  return 0

  async function takeResults() {
    if (options.user !== undefined) return runAsUser(options.user, options)
    const chosen = METRICS.filter(({ name }) => options.only.includes(name))
    const suite = await runSuite(chosen, { quick: options.quick, hasLimit, note })
    return { status: 0, results: `${JSON.stringify({ ...suite, notes }, null, 2)}\n` }
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
