// A command that prints far more than anyone keeps: throughput, event loop, memory.

import { LIMIT } from '../harness/contenders.mjs'
import { runLimit } from '../harness/limit.mjs'
import { takeRounds } from '../harness/rounds.mjs'
import { streamOnce } from '../harness/stream-once.mjs'

export default {
  name: 'flood',
  title: 'head -c N /dev/zero',
  quantities: [
    { key: 'rate', label: 'throughput', unit: 'GB/s', higherIsBetter: true, chart: true },
    { key: 'busy', label: 'event loop busy', unit: '%' },
    { key: 'growth', label: 'host RSS growth', unit: 'MiB', chart: true },
  ],
  goals: [
    { quantity: 'rate', atLeast: 2, over: { contender: 'spawn' } },
    { quantity: 'busy', atMost: 2 },
    { quantity: 'growth', atMost: 4 },
  ],
  settings: {
    full: { mebibytes: 2048, wanted: 10, budgetMs: 120_000 },
    quick: { mebibytes: 512, wanted: 3, budgetMs: 10_000 },
  },

  async measure({ contenders, hasLimit, cwd }, { mebibytes, ...limits }) {
    const bytes = mebibytes * 2 ** 20
    const command = `head -c ${bytes} /dev/zero`
    const fit = contenders.filter(({ onlyConfines }) => !onlyConfines)
    const plan = fit.map(({ name: contender }) => ({
      case: `${mebibytes} MiB`,
      contender,
      run: () => streamOnce({ contender, command, bytes, cwd }),
    }))
    if (hasLimit) plan.push({ case: `${mebibytes} MiB`, contender: LIMIT, run: () => limit(command, bytes) })
    return takeRounds(plan, limits)
  },
}

async function limit(command, expected) {
  const { wallMs, bytes } = await runLimit('flood', [], command)
  if (bytes !== expected) throw new Error(`expected ${expected} bytes, counted ${bytes}`)
  return { rate: bytes / wallMs / 1e6 }
}
