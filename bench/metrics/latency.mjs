// How long the smallest command takes, in a small host and in large ones.

import os from 'node:os'
import { LIMIT } from '../harness/contenders.mjs'
import { withHost } from '../harness/host-client.mjs'
import { runLimit } from '../harness/limit.mjs'
import { takeRounds } from '../harness/rounds.mjs'
import { median } from '../harness/statistics.mjs'

const COMMAND = ':'
const GIB = 2 ** 30
const HOSTS = { small: 0, '1 GB': GIB, '4 GB': 4 * GIB }

export default {
  name: 'latency',
  title: 'bash -c : in a host of 50 MB, and with 1 GB and 4 GB of touched Buffers',
  quantities: [
    { key: 'p50', label: 'p50', unit: 'ms', chart: true },
    { key: 'busy', label: 'event loop busy', unit: 'ms/command', chart: true },
    { key: 'block', label: 'call blocks', unit: 'ms' },
    { key: 'cpu', label: 'CPU', unit: 'ms/command', chart: true },
  ],
  goals: [
    { case: 'small', quantity: 'p50', atMost: 0.55, over: { contender: 'spawn' } },
    { case: 'small', quantity: 'p50', atMost: 1.2, over: { contender: LIMIT } },
    { case: '1 GB', quantity: 'p50', atMost: 1 / 20, over: { contender: 'spawn' } },
    { case: '4 GB', quantity: 'p50', atMost: 1 / 80, over: { contender: 'spawn' } },
    { case: 'small', quantity: 'busy', atMost: 0.075, over: { contender: 'spawn' } },
    { case: '1 GB', quantity: 'busy', atMost: 1 / 15, over: { contender: 'spawn' } },
    { case: '4 GB', quantity: 'busy', atMost: 1 / 15, over: { contender: 'spawn' } },
    { case: '4 GB', quantity: 'busy', atMost: 2, over: { case: 'small' } },
  ],
  settings: {
    full: {
      small: { count: 25, wanted: 30, budgetMs: 90_000 },
      '1 GB': { count: 8, wanted: 12, budgetMs: 70_000 },
      '4 GB': { count: 4, wanted: 8, budgetMs: 100_000 },
    },
    quick: {
      small: { count: 10, wanted: 5, budgetMs: 8000 },
      '1 GB': { count: 4, wanted: 3, budgetMs: 8000 },
      '4 GB': { count: 2, wanted: 2, budgetMs: 10_000 },
    },
  },

  async measure({ contenders, hasLimit, cwd, note }, settings) {
    const taken = []
    for (const [name, bytes] of Object.entries(HOSTS)) {
      // Leaves half a GB for everything else, so that nothing swaps.
      if (os.freemem() < bytes + GIB / 2) {
        note(`${name} host left out: ${(os.freemem() / GIB).toFixed(1)} GB of memory available`)
        continue
      }
      taken.push(...(await inHost(name, bytes, settings[name])))
    }
    return taken

    async function inHost(name, bytes, { count, ...limits }) {
      return withHost(async (host) => {
        await host.call('ballast', { bytes })
        // Sandboxes start their programs by child_process.spawn, whose own row shows what large hosts cost.
        const fit = contenders.filter(({ onlyConfines }) => !onlyConfines || bytes === 0)
        const plan = fit.map(({ name: contender, onlyConfines: confined }) => ({
          case: name,
          contender,
          run: () => host.call('latency', { contender, confined, command: COMMAND, count, cwd }),
        }))
        // Compiles code and fills caches before the first batch counts.
        for (const { run } of plan) await run().catch(() => {})
        if (hasLimit) plan.push({ case: name, contender: LIMIT, run: () => limit(count) })
        return takeRounds(plan, limits)
      })
    }
  },
}

async function limit(count) {
  const { totalMs, blockMs, cpuMs } = await runLimit('latency', [count], COMMAND)
  return { p50: median(totalMs), block: median(blockMs), cpu: cpuMs / count }
}
