// A host process under the fault shim: records what a scenario calls, or runs scenarios with one fault each and says
// what became of them. Instructions come as JSON on stdin, reports go as JSON lines to stdout.
const { readFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')
const { runCase, warmUp } = require('./case.cjs')
const { scenariosOf } = require('./scenarios.cjs')
const shim = require('./shim.cjs')

const report = (value) => {
  writeSync(1, `${JSON.stringify(value)}\n`)
}

const main = async () => {
  const { root, temporary, record = [], cases = [] } = JSON.parse(readFileSync(0, 'utf8'))
  const scenarios = scenariosOf(require(join(root, 'dist/index.js')), temporary)
  for (const name of record) {
    const scenario = scenarios[name]
    if (!scenario.cold) await warmUp(scenario)
    shim.ask('record')
    await scenario.run()
    report({ recorded: { scenario: name, calls: shim.recorded() } })
    report({ baseline: { scenario: name, outcome: await scenario.look() } })
  }
  for (const [index, fault] of cases.entries()) {
    const scenario = scenarios[fault.scenario]
    if (!scenario.cold && !warm.has(fault.scenario)) await warmUp(scenario)
    warm.add(fault.scenario)
    report({ started: index })
    const result = await runCase(scenario, fault)
    report({ finished: index, ...result })
    // The others get a host that holds nothing of it.
    if (result.outcome.hung || result.left) break
  }
}

const warm = new Set()

main().then(
  () => process.exit(0),
  (error) => {
    report({ broken: error.stack })
    process.exit(1)
  },
)
