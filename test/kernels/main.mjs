// npm run test:kernels: Restricted and Workspace mode on real kernels. docs/design/testing.md says what it needs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../support/command-line.mjs'
import { boot } from './boot.mjs'
import { RowFailure } from './failure.mjs'
import { openImages } from './guest-image.mjs'
import { openKernels } from './kernels.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { openOutcomes } from './outcomes.mjs'
import { joinReports, reportsOf, TABLES } from './reports.mjs'
import { planBoots, rows, users } from './rows.mjs'
import { complaints, kernelsPage, summaryLine, times } from './table.mjs'
import { judge } from './verdict.mjs'

const require = createRequire(import.meta.url)
const { attacks, guestAttacks } = require('../fixtures/sandbox/attacks/index.cjs')
const { cases } = require('../fixtures/sandbox/must-work.cjs')
const { workspaceAttacks } = require('../fixtures/workspace/attacks/index.cjs')
const { networkAttacks } = require('../fixtures/workspace/network/index.cjs')

/** What is judged where a table was tried. */
const expectedOf = {
  restricted: { attackTable: [...attacks, ...guestAttacks], mustWork: cases },
  files: { workspaceTable: workspaceAttacks },
  sockets: { socketTable: networkAttacks },
}

const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/kernels.md')

const parse = () => {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

/** Calls `use` for each of `items`, for `jobs` of them at a time; the results in the order of the items. */
const forEachAtOnce = async (items, jobs, use) => {
  const results = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      results[index] = await use(items[index])
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

const run = async (options, cache) => {
  const { refresh, limitMs, controls } = options
  const kernelOf = openKernels({ cache, refresh })
  const imageOf = openImages({ cache, refresh })
  const outcomes = openOutcomes(join(cache, 'outcomes'))
  const logs = join(cache, 'logs')

  const reportsFor = async ({ row, user }) => {
    const kernel = kernelOf(row)
    const image = imageOf(row.architecture)
    const fingerprint = JSON.stringify([row, kernel, image.fingerprint, controls])
    const keptOf = (table) =>
      options.continue ? outcomes.find({ row, user }, table, fingerprint) : undefined
    const kept = new Map(TABLES.map((table) => [table, keptOf(table)]))
    const tables = options.tables.filter((table) => kept.get(table) === undefined)
    if (tables.length > 0) {
      const reports = await boot({ row, user, kernel, image: image.path, controls, tables, logs, limitMs })
      for (const table of tables) {
        kept.set(table, reportsOf(reports, table))
        outcomes.keep({ row, user }, table, fingerprint, reports)
      }
    }
    return new Map([...kept].filter(([, reports]) => reports !== undefined))
  }

  const judgeBoot = async ({ row, user }) => {
    const reports = await reportsFor({ row, user })
    const expected = Object.assign({}, ...[...reports.keys()].map((table) => expectedOf[table]))
    const joined = joinReports([...reports.values()])
    const outcome = judge({ row, user, reports: joined, controls, ...expected })
    return { ...outcome, took: joined.took, partly: reports.size < TABLES.length }
  }

  return await forEachAtOnce(planBoots(options.rows, options.users), options.jobs, async ({ row, user }) => {
    const begin = Date.now()
    const outcome = await judgeBoot({ row, user }).catch((error) => {
      if (!(error instanceof RowFailure)) throw error
      const { kind, message } = error
      return { row, user, failure: { kind, message }, problems: [] }
    })
    const seconds = Math.round((Date.now() - begin) / 1000)
    const lines = [`${summaryLine(outcome)} (${times(seconds, outcome)})`, ...complaints(outcome)]
    process.stdout.write(`${lines.join('\n  ')}\n`)
    return outcome
  })
}

const main = async () => {
  const options = parse()
  if (options.help || options.list) {
    process.stdout.write(options.help ? USAGE : `${rows.map(({ name }) => name).join('\n')}\n`)
    return 0
  }
  const cache = join(process.env.XDG_CACHE_HOME || join(os.homedir(), '.cache'), 'bashward-kernels')
  mkdirSync(cache, { recursive: true })
  const outcomes = await run(options, cache)
  if (outcomes.length === rows.length * users.length && !outcomes.some(({ partly }) => partly)) {
    mkdirSync(dirname(page), { recursive: true })
    writeFileSync(page, kernelsPage(outcomes))
  }
  return outcomes.some((outcome) => complaints(outcome).length > 0) ? 1 : 0
}

process.exitCode = await main()
