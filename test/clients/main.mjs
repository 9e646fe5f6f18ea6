// npm run test:clients: MCP clients themselves, driven by a model that follows a script. docs/design/testing-programs.md says what it needs.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../support/command-line.mjs'
import { runNamesOf, runsOf } from './acts.mjs'
import { drivenClients, versionOf } from './clients.mjs'
import { cache, install } from './install.mjs'
import { driveIsolated } from './isolated.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { openOutcomes } from './outcomes.mjs'
import { clientsPage } from './page.mjs'
import { problemsOf, wasDriven } from './problems.mjs'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const page = join(root, 'docs/mcp-clients.md')
const configuration = createRequire(import.meta.url)(join(root, 'dist/mcp/clients/configuration.js'))
const outcomes = openOutcomes(join(cache, 'outcomes'))

const parse = () => {
  try {
    return parseOptions(process.argv.slice(2), Object.keys(runsOf('after')))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

const builds = ({ before }) => [
  { build: 'after', cli: join(root, 'dist/cli/bin.js') },
  ...(before === undefined ? [] : [{ build: 'before', cli: resolve(before) }]),
]

/** Drives a client until a run takes place, a few times at most. */
const driveOnce = async (job) => {
  let problems = []
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      const outcome = await driveIsolated(job)
      problems = problemsOf(outcome)
      if (wasDriven(outcome)) return { outcome, problems }
    } catch ({ message }) {
      problems = [message]
    }
  }
  return { problems }
}

/** One at a time: a client takes a processor. @returns how many runs are not as they have to be */
const driveAll = async (options) => {
  let failed = 0
  for (const name of options.clients) {
    const modules = install(name, drivenClients[name].packages)
    for (const { build, cli } of builds(options)) {
      const runs = runNamesOf(build, drivenClients[name]).filter((run) => options.runs.includes(run))
      for (const run of runs) {
        const begin = Date.now()
        const job = { name, build, run, modules, cli }
        const { outcome, problems } = await driveOnce(job)
        if (outcome !== undefined) outcomes.keep({ name, version: versionOf(name), build, run }, outcome)
        if (problems.length > 0) failed += 1
        const seconds = Math.round((Date.now() - begin) / 1000)
        const lines = [`${name} ${build} ${run}: ${problems.length === 0 ? 'ok' : 'FAILED'} (${seconds} s)`]
        process.stdout.write(`${[...lines, ...problems].join('\n  ')}\n`)
      }
    }
  }
  return failed
}

const main = async () => {
  const options = parse()
  if (options.help || options.list) {
    const names = Object.keys(drivenClients).map((name) => `${name} ${versionOf(name)}\n`)
    process.stdout.write(options.help ? USAGE : names.join(''))
    return 0
  }
  const failed = options.page ? 0 : await driveAll(options)
  const text = clientsPage({
    configuration,
    versionOf,
    find: (name, build, run) => outcomes.find({ name, version: versionOf(name), build, run }),
  })
  if (text === undefined)
    process.stdout.write('docs/mcp-clients.md is as it was: not all runs have been made\n')
  else writeFileSync(page, text)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
