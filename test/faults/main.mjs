// npm run test:faults: makes the system calls of the engine fail, one at a time, and judges what becomes of the command.
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../support/command-line.mjs'
import { casesOf } from './cases.mjs'
import { record, runCases } from './hosts.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { faultsPage } from './page.mjs'
import { buildShim } from './shim-program.mjs'
import { judge } from './verdict.mjs'

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))

const describe = ({ scenario, role, call, detail, nth, count, errno }) =>
  `${scenario}, ${role}: ${call}${detail ? ` ${detail}` : ''} ${nth}${count > 1 ? ' and on' : ''}: ${errno}`

const plan = ({ scenarios }, recorded) => {
  const cases = []
  const exempt = []
  const unknown = []
  const started = new Set()
  for (const { name, whole, signals } of scenarios) {
    const found = casesOf(name, recorded.calls.get(name), {
      cold: name === 'cold',
      tried: whole ? undefined : started,
      signals,
    })
    cases.push(...found.cases)
    exempt.push(...found.exempt)
    unknown.push(...found.unknown)
    if (name === 'plain') for (const site of found.sites) started.add(site)
  }
  return { cases, exempt, unknown }
}

const tryAll = async (shim, cases, baselines, jobs) => {
  const outcomes = []
  await runCases(shim, cases, jobs, (fault, result) => {
    const verdict = judge(fault, result, baselines.get(fault.scenario))
    outcomes.push({ fault, result, verdict })
    if (verdict.kind === 'defect' && result.hits > 0)
      console.log(`defect  ${describe(fault)}: ${verdict.text}`)
    if (outcomes.length % 100 === 0) console.log(`${outcomes.length} of ${cases.length}`)
  })
  // In the order of the plan, whatever the order of the hosts.
  const order = new Map(cases.map((fault, index) => [fault, index]))
  return outcomes.sort((a, b) => order.get(a.fault) - order.get(b.fault))
}

const main = async () => {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) {
    process.stdout.write(USAGE)
    return 0
  }
  if (!existsSync(pathOf('../../dist/index.js'))) throw new Error('dist/ is missing: npm run build')
  const shim = buildShim()
  if (shim.obstacle !== undefined) {
    console.error(`no faults can be made here: ${shim.obstacle}`)
    return process.env.BASHWARD_MUST_WORK === '1' ? 1 : 0
  }
  try {
    const recorded = await record(
      shim.program,
      options.scenarios.map(({ name }) => name),
    )
    const { cases: all, exempt, unknown } = plan(options, recorded)
    for (const { role, call, detail } of unknown) console.log(`not in calls.mjs: ${role} ${call} ${detail}`)
    const cases = all.filter(({ call }) => options.calls?.includes(call) ?? true)
    if (options.list) {
      for (const fault of cases) console.log(describe(fault))
      return 0
    }
    const outcomes = await tryAll(shim.program, cases, recorded.baselines, options.jobs)
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outcomes, null, 1)}\n`)
    const complete = options.calls === undefined && process.argv.every((word) => word !== '--only')
    if (complete) writeFileSync(pathOf('../../docs/faults.md'), faultsPage(outcomes, exempt))
    const met = outcomes.filter(({ result }) => result.hits > 0)
    const defects = met.filter(({ verdict }) => verdict.kind === 'defect')
    console.log(`${met.length} faults of ${outcomes.length} met, ${defects.length} defects`)
    return defects.length > 0 || unknown.length > 0 ? 1 : 0
  } finally {
    shim.remove()
  }
}

main().then(
  (status) => {
    process.exitCode = status
  },
  (error) => {
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error)
    process.exitCode = 2
  },
)
