// Which process a pid means: numbers are used again, so the start time and the boot are a part of its name.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { bootIdFromSysctl, startTimeFromPs } from './identity-ps.js'

/** A process, for as long as the machine runs. */
export interface ProcessIdentity {
  pid: number
  /** Field 22 of /proc/PID/stat: clock ticks from boot to its start (proc_pid_stat(5)); elsewhere seconds. */
  startTime: number
  /** The boot that `startTime` counts from. */
  bootId: string
}

interface ProcessStat {
  /** `'Z'` is a zombie, `'X'` a dead process. */
  state: string
  pgid: number
  sid: number
  startTime: number
}

let currentBootId: string | undefined

const hasProc = existsSync('/proc/self/stat')

/** The id of this boot, a UUID (random(4)). */
export function bootId(): string {
  currentBootId ??= hasProc
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    : bootIdFromSysctl()
  return currentBootId
}

/**
 * Start time of a process, in clock ticks since boot, or in seconds where there is no /proc; undefined when there is
 * none, or only a zombie.
 */
export function processStartTime(pid: number): number | undefined {
  return hasProc ? readLivingStat(pid)?.startTime : startTimeFromPs(pid)
}

/** Whether exactly this process still runs. A zombie does not. */
export function isAlive({ pid, startTime, bootId: boot }: ProcessIdentity): boolean {
  return processStartTime(pid) === startTime && boot === bootId()
}

/**
 * The processes that are left of the group that `leader` led with a session of its own; none when the group's number
 * has come to mean another one.
 */
export function remainingGroup(leader: ProcessIdentity): number[] {
  if (!hasProc || leader.bootId !== bootId()) return []
  // While a group has members its number is given to no new process: a leader of another time proves another group.
  const current = processStartTime(leader.pid)
  if (current !== undefined && current !== leader.startTime) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = readLivingStat(pid)
      if (stat === undefined || stat.startTime < leader.startTime) return false
      return stat.pgid === leader.pid && stat.sid === leader.pid
    })
}

function readLivingStat(pid: number): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  const stat = parseStat(text)
  return stat.state === 'Z' || stat.state === 'X' ? undefined : stat
}

/** Parses /proc/PID/stat. The name in field 2 may hold spaces and parentheses; nothing after it does. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // The first of them is field 3.
  const number = (field: number) => Number(fields[field - 3])
  return { state: fields[0] ?? '', pgid: number(5), sid: number(6), startTime: number(22) }
}
