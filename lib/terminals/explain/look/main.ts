// The process that looks: it gets its order as an argument, looks twice, prints what it has found, and ends. Another process,
// because a look may hang: a page of another's memory may be on a file system that does not answer. Its host kills it then.

import { uptime } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Found, JobProcesses, LookOrder } from '../finding.js'
import { RunClock } from './clock.js'
import { Descriptors } from './descriptors.js'
import { judge } from './judge.js'
import { Locks } from './locks.js'
import { OverBudget, Proc } from './proc.js'
import { childrenOf, FirstLook, processesBelow, readStat, ticksPerSecond } from './processes.js'
import { Sockets } from './sockets.js'

/** What tells busy processes from others takes two looks, so far apart, milliseconds. */
const pauseMs = 250
/** Before that which was ordered there are others, should this process be too late for it: how long before, milliseconds. */
const earlierMs = [2_000, 1_000, 0]
/** Commands of a host that are looked at. */
const maxCommands = 32
const calibrations = 8

/** @param order a {@link LookOrder} in JSON */
export async function main(order: string): Promise<void> {
  const parsed: LookOrder = JSON.parse(order)
  let known: Found[] = []
  for (const earlier of earlierMs) {
    const startAt = parsed.lookAt - earlier - pauseMs
    if (earlier > 0 && startAt < Date.now()) continue
    await delay(Math.max(0, startAt - Date.now()))
    const found = await look(parsed)
    const isNew = ({ shells: [shell] }: Found) => !found.some(({ shells }) => shells[0] === shell)
    known = [...found, ...known.filter(isNew)]
    print(known)
  }
}

function print(found: Found[]): void {
  // As ASCII it crosses the engine as it is.
  const text = JSON.stringify(found).replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  process.stdout.write(`${text}\n`)
}

export async function look({ host, ages, roots, deadline, untraced = false }: LookOrder): Promise<Found[]> {
  const proc = new Proc({ untraced, deadline: performance.now() + deadline - Date.now() })
  const clock = new RunClock()
  const found: Found[] = []
  // In that of another PID namespace the numbers are those of others.
  if (proc.link('self') !== String(process.pid)) return found
  try {
    const trees = [...livingRoots(proc, roots), ...commandsOf(proc, host, ages)].map((root) =>
      treeOf(proc, root),
    )
    const first = new FirstLook()
    for (const { pids } of trees) for (const pid of pids) first.add(proc, pid)
    for (let i = 0; i < calibrations; i++) {
      await delay(pauseMs / calibrations)
      clock.calibrate(proc)
    }
    const [sockets, locks] = [new Sockets(proc), new Locks(proc)]
    const descriptors = new Descriptors(proc, sockets)
    for (const { root } of trees) {
      const { pids, shells } = treeOf(proc, root)
      const scene = { proc, descriptors, locks, clock, pids }
      found.push({ at: Date.now(), shells, findings: judge(scene, first) })
    }
  } catch (error) {
    // What has been found so far holds.
    if (!(error instanceof OverBudget)) throw error
  }
  return found
}

interface Root {
  pid: number
  /** Whether it watches over a command, and is none of its processes. */
  isSupervisor: boolean
}

/** Its name may be another one: it may have been started from memory. */
const isSupervisor = (proc: Proc, pid: number): boolean =>
  proc.text(`${pid}/cmdline`, 64)?.split('\0')[0] === 'bashward-supervisor'

function livingRoots(proc: Proc, roots: readonly JobProcesses[]): Root[] {
  return roots.flatMap<Root>(({ pid, startTime, shell }) => {
    const stat = readStat(proc, String(pid))
    if (stat?.startTime !== startTime) return []
    if (isSupervisor(proc, pid)) return [{ pid, isSupervisor: true }]
    // That of the portable engine has children of its own besides.
    const isChild = readStat(proc, String(shell))?.parent === pid
    return isChild ? [{ pid: shell, isSupervisor: false }] : []
  })
}

/** The children of a host, those first whose ages are asked for. */
function commandsOf(proc: Proc, host: number, ages: readonly number[]): Root[] {
  if (host === 0) return []
  const now = uptime()
  const children = childrenOf(proc, host).flatMap((pid) => {
    const stat = readStat(proc, String(pid))
    // This process has a supervisor, too.
    if (stat === undefined || pid === process.ppid || pid === process.pid || stat.state === 'Z') return []
    const age = (now - stat.startTime / ticksPerSecond) * 1000
    const distance = Math.min(...ages.map((each) => Math.abs(each - age)))
    return [{ pid, isSupervisor: isSupervisor(proc, pid), distance }]
  })
  return children.sort((a, b) => a.distance - b.distance).slice(0, maxCommands)
}

function treeOf(proc: Proc, root: Root): { root: Root; pids: ReadonlySet<number>; shells: number[] } {
  const below = processesBelow(proc, root.pid)
  const shells = [...below].flatMap(([pid, parent]) => (parent === root.pid ? [pid] : []))
  if (root.isSupervisor) return { root, pids: new Set(below.keys()), shells }
  return { root, pids: new Set([root.pid, ...below.keys()]), shells: [root.pid] }
}
