// Runs what is allowed, and looks whether it has changed anything: node test/guard/verdicts/main.mjs [--seconds N] [--seed N]
// [--only corpus|placeholders|options|shell|awk|sed|format]. N seconds each for the random parts; 60 without it. Needs strace, pid namespaces,
// and `npm run build`. Nothing runs but by running/bounded.mjs. With --peers nothing runs at all: it counts what other agents
// allow of the corpus.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { comparePeers, showComparison } from './peers/compare.mjs'
import { canBound } from './running/bounded.mjs'
import { Copy } from './running/copies.mjs'
import { observe } from './running/observe.mjs'
import { fuzzOptions } from './running/options.mjs'
import { placeholders } from './running/placeholders.mjs'
import { soup, soupKinds } from './running/soup.mjs'
import { gitCommands, programs } from './running/table.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    only: { type: 'string' },
    peers: { type: 'boolean', default: false },
  },
})
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
const { judgeCommand } = createRequire(import.meta.url)('../../..')

if (values.peers) {
  const comparison = await comparePeers((command) =>
    judgeCommand(command, { workingDir: '/srv/project', home: '/home/dev' }),
  )
  console.log(showComparison(comparison))
  for (const fault of comparison.faults) console.log(fault)
  process.exit(comparison.faults.length > 0 ? 1 : 0)
}

if (!canBound()) {
  console.log('cannot be run here: there are no pid namespaces, which bound what commands do')
  process.exit(77)
}

const root = mkdtempSync(join(tmpdir(), 'bashward-verdicts-'))
const copy = new Copy(root)
const judge = (command) => judgeCommand(command, { workingDir: copy.project, home: copy.home })

const corpus = async () => {
  const lines = readFileSync(new URL('corpus/ordinary.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const faults = []
  let ran = 0
  for (const command of lines.map((line) => line.replaceAll('⏎', '\n'))) {
    const { decision } = await judge(command)
    if (decision !== 'allow') continue
    ran++
    const found = observe(command, copy)
    if (found.length > 0) faults.push({ command, found: found.slice(0, 3) })
  }
  return { generated: lines.length, ran, faults }
}

const parts = {
  corpus,
  placeholders: () => placeholders({ judge, copy }),
  options: () => fuzzOptions({ programs, gitCommands, seed, seconds, judge, copy }),
  ...Object.fromEntries(soupKinds.map((kind) => [kind, () => soup({ kind, seed, seconds, judge, copy })])),
}
try {
  console.log(`seed ${seed}`)
  for (const [name, part] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue
    const { faults, ...counts } = await part()
    console.log(name, counts, `${faults.length} have changed something`)
    for (const fault of faults.slice(0, 20)) console.log(JSON.stringify(fault))
    if (faults.length > 0) process.exitCode = 1
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
