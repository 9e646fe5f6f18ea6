// What is left of a cancelled command, and how soon it is gone: six ways to start a child that escapes.

import { setTimeout as sleep } from 'node:timers/promises'
import { LIMIT } from '../harness/contenders.mjs'
import { withHost } from '../harness/host-client.mjs'
import { startLimitKill } from '../harness/limit.mjs'
import { findMarked, killMarked, newMark, untilAsleep, untilGone } from '../harness/processes.mjs'
import { takeRounds } from '../harness/rounds.mjs'

/** Each runs two sleeps. */
const SHAPES = {
  plain: { command: (s) => `sleep ${s} & sleep ${s}` },
  setsid: { command: (s) => `setsid sleep ${s} & sleep ${s}` },
  nohup: { command: (s) => `nohup sleep ${s} >/dev/null 2>&1 & sleep ${s}` },
  'double fork': { command: (s) => `(setsid sleep ${s} >/dev/null 2>&1 &); sleep ${s}` },
  'set -m': { command: (s) => `set -m; sleep ${s} & sleep ${s}` },
  'trap TERM': { command: (s) => `trap "" TERM INT HUP; sleep ${s} & sleep ${s}`, ignoresTerm: true },
}
const SLEEPS = 2
/** After the grace; what lives then is a survivor. */
const PATIENCE_MS = 500
/** Lets every process reach its sleep, and dead ones show as dead. */
const SETTLE_MS = 30

export default {
  name: 'kill',
  title: 'cancel a command with descendants; times after the grace where SIGTERM is ignored',
  quantities: [
    { key: 'gone', label: 'all gone after', unit: 'ms', chart: true },
    { key: 'settled', label: 'call returned after', unit: 'ms' },
    { key: 'survivors', label: 'survivors (worst)', unit: '', worst: true, chart: true },
  ],
  goals: [
    { quantity: 'survivors', atMost: 0 },
    { quantity: 'gone', atMost: 10 },
  ],
  settings: {
    full: { wanted: 7, budgetMs: 210_000 },
    quick: { wanted: 1, budgetMs: 15_000 },
  },

  async measure({ contenders, hasLimit, cwd }, limits) {
    return withHost((host) => {
      const plan = Object.entries(SHAPES).flatMap(([name, shape]) => {
        const fit = contenders.filter(({ onlyConfines }) => !onlyConfines)
        const series = fit.map((contender) => ({
          case: name,
          contender: contender.name,
          run: () => cancelOnce(host, contender, shape, cwd),
        }))
        if (hasLimit) series.push({ case: name, contender: LIMIT, run: () => limit(shape) })
        return series
      })
      return takeRounds(plan, limits)
    })
  },
}

async function cancelOnce(host, { name, graceMs }, { command, ignoresTerm = false }, cwd) {
  const mark = newMark()
  const grace = ignoresTerm ? graceMs : 0
  try {
    await host.call('begin', { key: mark, contender: name, command: command(mark), cwd })
    await untilAsleep(mark, SLEEPS)
    await sleep(SETTLE_MS)
    const pids = findMarked(mark)

    const aborted = host.call('abort', { key: mark })
    const settled = host.call('settled', { key: mark }).catch(() => ({ settledAt: Number.POSITIVE_INFINITY }))
    const goneAt = await untilGone(pids, PATIENCE_MS + grace)
    const { abortedAt } = await aborted
    await sleep(SETTLE_MS)
    const survivors = findMarked(mark).length
    // A call that waits for its survivors would not return unless they are killed here.
    const late = survivors === 0 ? settled : sleep(0, { settledAt: Number.POSITIVE_INFINITY })
    const returned = await Promise.race([settled, late])
    killMarked(mark)
    await settled

    return {
      survivors,
      ...(goneAt !== null && { gone: Math.max(0, goneAt - abortedAt - grace) }),
      ...(Number.isFinite(returned.settledAt) && {
        settled: Math.max(0, returned.settledAt - abortedAt - grace),
      }),
    }
  } finally {
    killMarked(mark)
  }
}

async function limit({ command }) {
  const mark = newMark()
  const running = startLimitKill(command(mark))
  try {
    await untilAsleep(mark, SLEEPS, [running.pid])
    await sleep(SETTLE_MS)
    const { goneMs } = await running.kill()
    return { gone: goneMs, survivors: findMarked(mark).length }
  } finally {
    killMarked(mark, [running.pid])
  }
}
