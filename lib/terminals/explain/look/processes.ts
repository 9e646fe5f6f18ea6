// The processes below one, and what they have done between two looks.

import { uptime } from 'node:os'
import type { Proc } from './proc.js'

/** Of /proc/PID/stat (proc_pid_stat(5)). */
export interface Stat {
  state: string
  name: string
  parent: number
  /** Clock ticks, of which there are 100 a second on every architecture that this runs on. */
  cpuTicks: number
  childTicks: number
  startTime: number
  processor: number
}

export const ticksPerSecond = 100

export function readStat(proc: Proc, path: string): Stat | undefined {
  const text = proc.text(`${path}/stat`, 2048)
  return text === undefined ? undefined : parseStat(text)
}

/** The name may have parentheses, spaces and line breaks in it; nothing behind it has. */
export function parseStat(text: string): Stat | undefined {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')]
  if (open < 0 || close < open) return undefined
  const fields = text.slice(close + 2).split(' ')
  const number = (field: number) => Number(fields[field - 3] ?? Number.NaN)
  return {
    state: fields[0] ?? '',
    name: text.slice(open + 1, close),
    parent: number(4),
    cpuTicks: number(14) + number(15),
    childTicks: number(16) + number(17),
    startTime: number(22),
    processor: number(39),
  }
}

const maxThreads = 64
const maxProcesses = 256
/** Of a machine whose kernel does not list children. */
const maxScanned = 4096

export const threadsOf = (proc: Proc, pid: number): number[] => proc.numbers(`${pid}/task`, maxThreads)

/** Everything below a process, parents first, with the parent of each. */
export function processesBelow(proc: Proc, root: number): Map<number, number> {
  const found = new Map<number, number>()
  const all = hasChildrenFiles(proc) ? undefined : scan(proc)
  const queue = [root]
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    for (const pid of all?.get(parent) ?? childrenOf(proc, parent)) {
      // A number of this very moment may be one that was used before.
      if (found.size >= maxProcesses || pid === root || found.has(pid)) continue
      found.set(pid, parent)
      queue.push(pid)
    }
  }
  return found
}

/** Without CONFIG_PROC_CHILDREN there are none. */
const hasChildrenFiles = (proc: Proc): boolean => proc.text('thread-self/children') !== undefined

/** Each thread has its own. */
export function childrenOf(proc: Proc, pid: number): number[] {
  return threadsOf(proc, pid).flatMap((thread) =>
    (proc.text(`${pid}/task/${thread}/children`, 16_384) ?? '').split(' ').filter(Boolean).map(Number),
  )
}

function scan(proc: Proc): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const pid of proc.numbers('', maxScanned)) {
    const parent = readStat(proc, String(pid))?.parent
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return children
}

/** A process at the first look. */
interface Before {
  startTime: number
  cpuTicks: number
  childTicks: number
  /** How often each thread has been put on a processor. */
  runs: Map<number, number>
}

export class FirstLook {
  readonly at = performance.now()
  readonly #before = new Map<number, Before>()

  add(proc: Proc, pid: number): void {
    const stat = readStat(proc, String(pid))
    if (stat === undefined) return
    const { startTime, cpuTicks, childTicks } = stat
    const runs = new Map(threadsOf(proc, pid).map((thread) => [thread, runsOf(proc, pid, thread)]))
    this.#before.set(pid, { startTime, cpuTicks, childTicks, runs })
  }

  /** Shares of a processor since then, in percent; a process that is younger has had all its time since. */
  usage(pid: number, { startTime, cpuTicks, childTicks }: Stat): { own: number; children: number } {
    const before = this.#before.get(pid)
    const known = before?.startTime === startTime ? before : { cpuTicks: 0, childTicks: 0 }
    const ticks = ((performance.now() - this.at) / 1000) * ticksPerSecond
    const percent = (now: number, then: number) => Math.round((Math.max(0, now - then) / ticks) * 100)
    return {
      own: percent(cpuTicks, known.cpuTicks),
      children: percent(childTicks, known.childTicks),
    }
  }

  /** How long ago a process has started that was not there then, milliseconds. */
  ageOfNew(pid: number, { startTime }: Stat): number | undefined {
    if (this.#before.get(pid)?.startTime === startTime) return undefined
    return Math.max(0, uptime() * 1000 - (startTime / ticksPerSecond) * 1000)
  }

  /** How often a thread has run since; undefined when that is not known. */
  runsSince(proc: Proc, pid: number, thread: number): number | undefined {
    const before = this.#before.get(pid)?.runs.get(thread)
    const now = runsOf(proc, pid, thread)
    return before === undefined || now === 0 ? undefined : now - before
  }
}

/** The third number of schedstat; 0 where the kernel does not count. */
function runsOf(proc: Proc, pid: number, thread: number): number {
  return Number(proc.text(`${pid}/task/${thread}/schedstat`, 128)?.split(' ')[2] ?? 0)
}

/** The arguments of a process; of one that has none (a kernel thread, a zombie) its name. */
export function commandOf(proc: Proc, pid: number, { name, state }: Stat, maxLength: number): string {
  // A process that waits for a disk may hold what its arguments take to be read.
  const line = state === 'D' ? '' : (proc.text(`${pid}/cmdline`, maxLength) ?? '')
  return line.replace(/\0+$/, '').replaceAll('\0', ' ') || name
}
