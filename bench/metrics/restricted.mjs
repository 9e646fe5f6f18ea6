// What it costs to confine the smallest command.

import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const COMMAND = ':'

export default {
  name: 'restricted',
  title: 'what Restricted mode and other sandboxes add to bash -c :',
  quantities: [
    { key: 'added', label: 'added', unit: 'ms', chart: true },
    { key: 'confined', label: 'confined', unit: 'ms' },
    { key: 'free', label: 'without', unit: 'ms' },
  ],
  goals: [{ quantity: 'added', atMost: 0.6 }],
  settings: {
    full: { count: 25, wanted: 20, budgetMs: 90_000 },
    quick: { count: 10, wanted: 5, budgetMs: 10_000 },
  },

  measure({ contenders, cwd }, { count, ...limits }) {
    return withHost(async (host) => {
      const plan = contenders
        .filter(({ confines }) => confines)
        .map(({ name: contender }) => ({
          case: `bash -c ${COMMAND}`,
          contender,
          run: () => host.call('restricted', { contender, command: COMMAND, count, cwd }),
        }))
      for (const { run } of plan) await run().catch(() => {})
      return takeRounds(plan, limits)
    })
  },
}
