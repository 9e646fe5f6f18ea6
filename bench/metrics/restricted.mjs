// What it costs to confine the smallest command.

import { LIMIT } from '../harness/contenders.mjs'
import { withHost } from '../harness/host-client.mjs'
import { runLimit } from '../harness/limit.mjs'
import { takeRounds } from '../harness/rounds.mjs'
import { median } from '../harness/statistics.mjs'

const COMMAND = ':'

export default {
  name: 'restricted',
  title: 'what Restricted mode and other sandboxes add to bash -c :',
  quantities: [
    { key: 'added', label: 'added', unit: 'ms', chart: true },
    { key: 'confined', label: 'confined', unit: 'ms' },
    { key: 'free', label: 'without', unit: 'ms' },
    { key: 'cpu', label: 'CPU added', unit: 'ms' },
  ],
  goals: [{ quantity: 'added', atMost: 0.6 }],
  settings: {
    full: { count: 25, wanted: 20, budgetMs: 90_000 },
    quick: { count: 10, wanted: 5, budgetMs: 10_000 },
  },

  measure({ contenders, hasLimit, cwd }, { count, ...limits }) {
    return withHost(async (host) => {
      const plan = contenders
        .filter(({ confines }) => confines)
        .map(({ name: contender }) => ({
          case: `bash -c ${COMMAND}`,
          contender,
          run: () => host.call('restricted', { contender, command: COMMAND, count, cwd }),
        }))
      for (const { run } of plan) await run().catch(() => {})
      if (hasLimit) plan.push({ case: `bash -c ${COMMAND}`, contender: LIMIT, run: () => limit(count) })
      return takeRounds(plan, limits)
    })
  },
}

/** A single Landlock domain, and nothing else that confines. */
async function limit(count) {
  const { freeMs, confinedMs, freeCpuMs, confinedCpuMs } = await runLimit('restricted', [count], COMMAND)
  const free = median(freeMs)
  const confined = median(confinedMs)
  return { added: confined - free, confined, free, cpu: median(confinedCpuMs) - median(freeCpuMs) }
}
