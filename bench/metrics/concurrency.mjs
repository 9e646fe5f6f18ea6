// How many short commands one host runs per second, and how much they delay its event loop.

import { LIMIT } from '../harness/contenders.mjs'
import { withHost } from '../harness/host-client.mjs'
import { runLimit } from '../harness/limit.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const COMMAND = 'echo hi'
const EXPECTED = 'hi'
const IN_FLIGHT = 64
const LIMIT_THREADS = 2

export default {
  name: 'concurrency',
  title: `${COMMAND}, ${IN_FLIGHT} in flight`,
  quantities: [
    { key: 'rate', label: 'commands', unit: '/s', higherIsBetter: true, chart: true },
    { key: 'delayMax', label: 'loop delay max', unit: 'ms', chart: true },
    { key: 'delayP99', label: 'loop delay p99', unit: 'ms' },
    { key: 'busy', label: 'event loop busy', unit: '%' },
    { key: 'cpu', label: 'CPU', unit: 'ms/command', chart: true },
  ],
  goals: [
    { quantity: 'rate', atLeast: 3, over: 'best peer' },
    { quantity: 'rate', atLeast: 0.72, over: { contender: LIMIT } },
    { quantity: 'delayMax', atMost: 8 },
  ],
  settings: {
    full: { count: 1000, wanted: 8, budgetMs: 120_000 },
    quick: { count: 250, wanted: 3, budgetMs: 10_000 },
  },

  async measure({ contenders, hasLimit, cwd }, { count, ...limits }) {
    return withHost(async (host) => {
      const fit = contenders.filter(({ onlyConfines }) => !onlyConfines)
      const request = { command: COMMAND, expected: EXPECTED, inFlight: IN_FLIGHT, cwd }
      const plan = fit.map(({ name: contender }) => ({
        case: `${count} commands`,
        contender,
        run: () => host.call('concurrency', { ...request, contender, count }),
      }))
      for (const { name: contender } of fit) {
        await host.call('concurrency', { ...request, contender, count: IN_FLIGHT }).catch(() => {})
      }
      if (hasLimit) plan.push({ case: `${count} commands`, contender: LIMIT, run: () => limit(count) })
      return takeRounds(plan, limits)
    })
  },
}

async function limit(count) {
  const { wallMs, cpuMs } = await runLimit('concurrency', [count, IN_FLIGHT, LIMIT_THREADS], COMMAND)
  return { rate: (count / wallMs) * 1000, cpu: cpuMs / count }
}
