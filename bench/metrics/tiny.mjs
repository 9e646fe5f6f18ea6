// A command that prints many short lines, each with its own write(2).

import { LIMIT } from '../harness/contenders.mjs'
import { runLimit } from '../harness/limit.mjs'
import { takeRounds } from '../harness/rounds.mjs'
import { streamOnce } from '../harness/stream-once.mjs'

export default {
  name: 'tiny',
  title: 'for i in $(seq N); do echo line $i; done',
  quantities: [
    { key: 'cpu', label: 'host CPU', unit: 'ms', chart: true },
    { key: 'wall', label: 'wall', unit: 'ms', chart: true },
    { key: 'turns', label: 'loop turns', unit: '' },
  ],
  goals: [
    { quantity: 'cpu', atMost: 20 },
    { quantity: 'cpu', atMost: 1.2, over: { contender: LIMIT } },
  ],
  settings: {
    full: { lines: 100_000, wanted: 10, budgetMs: 90_000 },
    quick: { lines: 100_000, wanted: 2, budgetMs: 10_000 },
  },

  async measure({ contenders, hasLimit, cwd }, { lines, ...limits }) {
    const command = `for i in $(seq ${lines}); do echo line $i; done`
    const bytes = Array.from({ length: lines }, (_, i) => `line ${i + 1}\n`.length).reduce((a, b) => a + b)
    const end = `line ${lines}`
    const fit = contenders.filter(({ onlyConfines }) => !onlyConfines)
    const plan = fit.map(({ name: contender }) => ({
      case: `${lines} lines`,
      contender,
      run: () => streamOnce({ contender, command, bytes, end, cwd }),
    }))
    if (hasLimit) plan.push({ case: `${lines} lines`, contender: LIMIT, run: () => limit(command, bytes) })
    return takeRounds(plan, limits)
  },
}

async function limit(command, expected) {
  const { wallMs, cpuMs, bytes } = await runLimit('tiny', [], command)
  if (bytes !== expected) throw new Error(`expected ${expected} bytes, counted ${bytes}`)
  return { wall: wallMs, cpu: cpuMs }
}
