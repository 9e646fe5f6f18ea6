// What a program pays to load a library, each time in a process of its own. Files are in the page cache.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OURS } from '../harness/contenders.mjs'
import { takeRounds } from '../harness/rounds.mjs'
import { median } from '../harness/statistics.mjs'

const execute = promisify(execFile)

const LOADER = fileURLToPath(new URL('../host/load.cjs', import.meta.url))
const EMPTY = 'empty'
const EMPTY_FILE = fileURLToPath(new URL('../host/empty.cjs', import.meta.url))
const TIMEOUT_MS = 45_000

export default {
  name: 'load',
  title: 'loading a library in a fresh process',
  titles: { [EMPTY]: 'an empty file' },
  quantities: [
    { key: 'load', label: 'load', unit: 'ms', chart: true },
    { key: 'process', label: 'whole process', unit: 'ms' },
    { key: 'rss', label: 'RSS growth', unit: 'MiB' },
  ],
  goals: [{ case: 'require', quantity: 'load', atMost: 15 }],
  settings: {
    full: { count: 5, wanted: 20, budgetMs: 90_000 },
    quick: { count: 3, wanted: 4, budgetMs: 10_000 },
  },

  measure({ contenders }, { count, ...limits }) {
    const series = (kind, contender, entry) => ({
      case: kind,
      contender,
      run: () => loadRepeatedly(kind, entry, count),
    })
    const plan = ['require', 'import'].map((kind) => series(kind, EMPTY, EMPTY_FILE))
    for (const { name, module } of contenders) {
      if (module === undefined) continue
      plan.push(series(module.kind, name, module.entry()))
      if (name === OURS) plan.push(series('import', name, module.entry().replace(/\.js$/, '.mjs')))
    }
    return takeRounds(plan, limits)
  },
}

async function loadRepeatedly(kind, entry, count) {
  const loads = []
  for (let i = 0; i < count; i++) loads.push(await loadOnce(kind, entry))
  return {
    load: median(loads.map(({ load }) => load)),
    process: median(loads.map(({ process }) => process)),
    rss: median(loads.map(({ rss }) => rss)),
  }
}

async function loadOnce(kind, entry) {
  const env = { ...process.env }
  // A cache with compiled code of an earlier process would not be cold.
  delete env.NODE_COMPILE_CACHE
  const begun = performance.now()
  const { stdout } = await execute(process.execPath, [LOADER, kind, entry], { env, timeout: TIMEOUT_MS })
  return { ...JSON.parse(stdout), process: performance.now() - begun }
}
