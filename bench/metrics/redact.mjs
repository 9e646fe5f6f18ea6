// What it costs to look for secrets in a flood of output.

import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const CASES = { 'a flood': false, 'a flood that is listened to': true }

export default {
  name: 'redact',
  title: 'looking for secrets in output',
  quantities: [
    { key: 'ratio', label: 'CPU, with ÷ without', unit: '×' },
    { key: 'cpu', label: 'CPU', unit: 'ms' },
    { key: 'without', label: 'CPU without', unit: 'ms' },
  ],
  goals: [{ quantity: 'ratio', atMost: 1.1 }],
  settings: {
    full: { megabytes: 1000, count: 3, wanted: 4, budgetMs: 120_000 },
    quick: { megabytes: 100, count: 1, wanted: 2, budgetMs: 10_000 },
  },

  measure({ contenders, cwd }, { megabytes, count, ...limits }) {
    if (!contenders.some(({ name }) => name === 'bashward')) return []
    const command = `yes 'some line of a build that goes on and on' | head -c ${megabytes}000000`
    return withHost((host) => {
      const plan = Object.entries(CASES).map(([name, live]) => ({
        case: `${name} of ${megabytes} MB`,
        contender: 'bashward',
        run: () => host.call('redact', { command, live, count, cwd }),
      }))
      return takeRounds(plan, limits)
    })
  },
}
