// What Workspace mode adds to a command, beside Restricted mode where that can do the same, turn by turn.

import { performance } from 'node:perf_hooks'
import { median } from '../harness/statistics.mjs'
import { countCpu } from './cpu-time.mjs'

/** Large ones warm up the files that they work on. */
const WARM_UP = 2

/**
 * @param {{ command: string, reset?: string, count: number, cwd: string, home: string, writes: boolean, unreadable?: string[] }} request
 *   reset: run before each turn, and not measured; home: the HOME of this process meanwhile; writes: whether Restricted
 *   mode cannot do it; unreadable: in place of the default list
 */
export async function workspace({ home, ...request }, contender) {
  const { HOME } = process.env
  process.env.HOME = home
  try {
    return await compare(request, contender)
  } finally {
    process.env.HOME = HOME
  }
}

async function compare({ command, reset, count, cwd, writes, unreadable }, contender) {
  const ways = {
    free: () => contender.run(command, { cwd }),
    ...(!writes &&
      contender.runRestricted && { restricted: () => contender.runRestricted(command, { cwd }) }),
    confined: () =>
      (contender.runInWorkspace ?? contender.runConfined).call(contender, command, { cwd, unreadable }),
  }
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  const cpu = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let i = writes ? -1 : -WARM_UP; i < count; i++) {
    for (const [way, run] of Object.entries(ways)) {
      if (reset !== undefined) await contender.run(reset, { cwd })
      const cpuOf = countCpu()
      const called = performance.now()
      const { exitCode } = await run()
      if (exitCode !== 0) throw new Error(`${way}: exit code ${exitCode}`)
      const time = performance.now() - called
      if (i < 0) continue
      times[way].push(time)
      cpu[way].push(cpuOf(1).cpu)
    }
  }
  const [free, restricted, confined] = [times.free, times.restricted ?? [], times.confined].map((all) =>
    all.length === 0 ? undefined : median(all),
  )
  return {
    added: confined - free,
    confined,
    free,
    ratio: confined / free,
    ...(restricted !== undefined && { overRestricted: confined - restricted }),
    ...(cpu.free[0] !== undefined && {
      cpu: median(cpu.confined) - median(cpu.free),
      cpuRatio: median(cpu.confined) / median(cpu.free),
    }),
  }
}
