// How long a call in a session, starting a background job and reading one take, beside a plain call.

import { OURS } from '../harness/contenders.mjs'
import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

/** The others have only a session. */
const KINDS = {
  plain: 'plain call',
  session: 'session call',
  richSession: 'session call, 200 functions',
  background: 'background start',
  read: 'job read',
}

export default {
  name: 'jobs',
  title: 'sessions and background jobs',
  quantities: [
    { key: 'p50', label: 'p50', unit: 'ms', chart: true },
    { key: 'busy', label: 'event loop busy', unit: 'ms/call' },
    { key: 'cpu', label: 'CPU', unit: 'ms/call' },
  ],
  goals: [
    { case: KINDS.session, quantity: 'p50', atMost: 1.5, over: { case: KINDS.plain } },
    { case: KINDS.richSession, quantity: 'p50', atMost: 2.5, over: { case: KINDS.plain } },
  ],
  settings: {
    full: { count: 40, wanted: 25, budgetMs: 60_000 },
    quick: { count: 10, wanted: 5, budgetMs: 5000 },
  },

  measure({ contenders, cwd }, { count, ...limits }) {
    return withHost(async (host) => {
      const plan = Object.entries(KINDS).map(([kind, name]) => ({
        case: name,
        contender: OURS,
        run: () => host.call('jobs', { kind, count, cwd }),
      }))
      for (const { name: contender } of contenders.filter(({ keepsSession }) => keepsSession)) {
        plan.push({
          case: KINDS.session,
          contender,
          run: () => host.call('session', { contender, count, cwd }),
        })
      }
      for (const { run } of plan) await run().catch(() => {})
      return takeRounds(plan, limits)
    })
  },
}
