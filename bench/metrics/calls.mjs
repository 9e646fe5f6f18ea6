// What it costs that a call starts once.

import { accessSync, constants } from 'node:fs'
import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const COMMAND = ':'
const MEMORY = '/dev/shm'

/** On a disk others decide how long a file takes. */
const casesOf = (cwd) => [
  ...(isWritable(MEMORY) ? [{ case: 'in memory', parent: MEMORY, durable: false }] : []),
  { case: 'on disk', parent: cwd, durable: false },
  { case: 'on disk, durable', parent: cwd, durable: true },
]

function isWritable(directory) {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export default {
  name: 'calls',
  title: `what a ledger of calls adds to bash -c ${COMMAND}`,
  quantities: [
    { key: 'added', label: 'added', unit: 'ms' },
    { key: 'marked', label: 'with a ledger', unit: 'ms' },
    { key: 'without', label: 'without', unit: 'ms' },
    { key: 'cpu', label: 'CPU added', unit: 'ms' },
  ],
  goals: [{ case: 'in memory', quantity: 'added', atMost: 0.1 }],
  settings: {
    full: { count: 50, wanted: 20, budgetMs: 60_000 },
    quick: { count: 25, wanted: 5, budgetMs: 10_000 },
  },

  measure({ contenders, cwd }, { count, ...limits }) {
    if (!contenders.some(({ name }) => name === 'bashward')) return []
    return withHost(async (host) => {
      const plan = casesOf(cwd).map(({ case: name, ...place }) => ({
        case: name,
        contender: 'bashward',
        run: () => host.call('calls', { command: COMMAND, count, ...place }),
      }))
      // Compiles code and fills caches before the first batch counts.
      for (const { run } of plan) await run().catch(() => {})
      return takeRounds(plan, limits)
    })
  },
}
