// What a call in a session, the start of a background job and the reading of one take, beside a plain call.

import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const KINDS = {
  plain: 'plain call',
  session: 'session call',
  background: 'background start',
  read: 'job read',
}

export default {
  name: 'jobs',
  title: 'sessions and background jobs',
  quantities: [
    { key: 'p50', label: 'p50', unit: 'ms' },
    { key: 'busy', label: 'event loop busy', unit: 'ms/call' },
  ],
  goals: [{ case: KINDS.session, quantity: 'p50', atMost: 2, over: { case: KINDS.plain } }],
  settings: {
    full: { count: 40, wanted: 25, budgetMs: 40_000 },
    quick: { count: 10, wanted: 5, budgetMs: 5000 },
  },

  measure({ cwd }, { count, ...limits }) {
    return withHost(async (host) => {
      const plan = Object.entries(KINDS).map(([kind, name]) => ({
        case: name,
        contender: 'bashward',
        run: () => host.call('jobs', { kind, count, cwd }),
      }))
      for (const { run } of plan) await run()
      return takeRounds(plan, limits)
    })
  },
}
