// Which process a pid means: numbers are used again, so the start time and the boot are a part of its name; and each
// PID namespace has numbers of its own.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { systemError } from '../errors.js'
import { childProcess, once } from './lazy.js'
import { systemProgram } from './system-programs.js'

/** A process, for as long as the machine runs. */
export interface ProcessIdentity {
  pid: number
  /** Field 22 of /proc/PID/stat: clock ticks from boot to its start (proc_pid_stat(5)); elsewhere seconds. */
  startTime: number
  /** The boot that `startTime` counts from. */
  bootId: string
  /** The PID namespace in which `pid` counts, as {@link pidNamespace} names it; null in a record that does not say. */
  pidNamespace?: number | null | undefined
}

interface ProcessStat {
  /** `'Z'` is a zombie, `'X'` a dead process. */
  state: string
  pgid: number
  sid: number
  startTime: number
}

const isLinux = process.platform === 'linux'
/** Where there is no /proc, and no sysctl(8) that knows. */
const unknownBoot = 'unknown'

/**
 * The id of this boot, a UUID (random(4)).
 *
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export const bootId = once((): string =>
  isLinux ? (readProcFile('/proc/sys/kernel/random/boot_id')?.trim() ?? unknownBoot) : bootIdFromSysctl(),
)

/**
 * The PID namespace of this process (pid_namespaces(7)): the number in /proc/self/ns/pid, which the kernel gives to
 * the next namespace as soon as this one has ended. 0 where there are none; null when it cannot be known.
 *
 * @throws {BashError} as {@link bootId}
 */
export const pidNamespace = once((): number | null => {
  if (!isLinux) return 0
  // The link is of this process in every /proc that shows it, also in that of another namespace.
  const link = '/proc/self/ns/pid'
  const target = unlessGone('readlink', link, () => readlinkSync(link)) ?? ''
  return Number(/\[(\d+)\]/.exec(target)?.[1] ?? 0) || null
})

/**
 * Whether /proc shows this PID namespace. In that of another one (`unshare --fork --pid` without `--mount-proc`) the
 * numbers are those of other processes.
 *
 * @throws {BashError} as {@link bootId}
 */
export const showsOwnProcesses = once((): boolean => {
  // Not asked as this file is loaded: Deno, without `--allow-all`, throws.
  if (!isLinux || !existsSync('/proc/self/stat')) return false
  // A number for each namespace from that of /proc inwards. A kernel without namespaces has no such line.
  return !/^NSpid:\t\d+\t/m.test(readProcFile('/proc/self/status') ?? 'NSpid:\t0\t0')
})

/**
 * Start time of a process, in clock ticks since boot, or in seconds where there is no /proc; undefined when there is
 * none, or only a zombie. On Linux only where {@link showsOwnProcesses}.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path when it cannot be told
 */
export function processStartTime(pid: number): number | undefined {
  return isLinux ? readLivingStat(pid)?.startTime : startTimeFromPs(pid)
}

/** That of this process, also where /proc is that of another PID namespace. */
export function ownStartTime(): number | undefined {
  return isLinux ? readLivingStat('self')?.startTime : startTimeFromPs(process.pid)
}

/**
 * Whether exactly this process still runs. A zombie does not.
 *
 * @returns undefined when that cannot be told from here: it is known by its number in another PID namespace, or /proc
 *   shows another one
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export function isAlive(process: ProcessIdentity): boolean | undefined {
  const { pid, startTime, bootId: boot } = process
  if (boot === unknownBoot || bootId() === unknownBoot) return undefined
  if (boot !== bootId()) return false
  if (isElsewhere(process) || (isLinux && !showsOwnProcesses())) return undefined
  return processStartTime(pid) === startTime
}

/** Whether a process is known by its number in another PID namespace, or in one that cannot be compared with this. */
export function isElsewhere({ pidNamespace: space }: Pick<ProcessIdentity, 'pidNamespace'>): boolean {
  return typeof space === 'number' && space !== pidNamespace()
}

/** Whether a process is a supervisor, as its arguments say. @throws {BashError} as {@link isAlive} */
export function isSupervisorProcess(pid: number): boolean {
  if (!isLinux) return true
  const words = showsOwnProcesses() ? (readProcFile(`/proc/${pid}/cmdline`) ?? '').split('\0') : []
  return words[0] === 'bashward-supervisor' || words[1]?.endsWith('/job-program.js') === true
}

/**
 * The processes that are left of the group that `leader` led with a session of its own; none when the group's number
 * has come to mean another one, or is not one of this PID namespace.
 *
 * @throws {BashError} as {@link isAlive}
 */
export function remainingGroup(leader: ProcessIdentity): number[] {
  const isHere = leader.bootId === bootId() && !isElsewhere(leader)
  if (!isHere || !showsOwnProcesses()) return []
  // While a group has members its number is given to no new process: a leader of another time proves another group.
  const current = processStartTime(leader.pid)
  if (current !== undefined && current !== leader.startTime) return []
  // Without a leader the number has to be known as one of this PID namespace.
  if (current === undefined && !isOfThisNamespace(leader)) return []
  return procPids().filter((pid) => {
    const stat = readLivingStat(pid)
    if (stat === undefined || stat.startTime < leader.startTime) return false
    return stat.pgid === leader.pid && stat.sid === leader.pid
  })
}

/** PROC_PID_INIT_INO of linux/proc_fs.h: that of the machine, which ends with it. */
const firstPidNamespace = 0xeffffffc

/** The kernel gives the number of a namespace that has ended to the next one: that one's first process is younger. */
function isOfThisNamespace({ pidNamespace: space, startTime }: ProcessIdentity): boolean {
  if (space === undefined || space === firstPidNamespace || space === 0) return true
  return typeof space === 'number' && (processStartTime(1) ?? Number.POSITIVE_INFINITY) <= startTime
}

function readLivingStat(pid: number | 'self'): ProcessStat | undefined {
  const text = readProcFile(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
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

/**
 * Reads a file of /proc. One of a process that is gone is no error, and no other error means that a process is gone.
 *
 * @returns undefined when there is no such file, or its process has ended
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path: no descriptor is left, for one
 */
export function readProcFile(path: string): string | undefined {
  return unlessGone('read', path, () => readFileSync(path, 'latin1'))
}

/** The processes that /proc shows. @throws {BashError} as {@link readProcFile} */
export function procPids(): number[] {
  const names = unlessGone('readdir', '/proc', () => readdirSync('/proc')) ?? []
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

function unlessGone<Value>(step: string, path: string, read: () => Value): Value | undefined {
  try {
    return read()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw unreadable(step, path, cause)
  }
}

/** Whose records name processes: the jobs'. */
function unreadable(step: string, path: string, cause: unknown): Error {
  const { errno = 0 } = cause as NodeJS.ErrnoException
  return systemError('ERR_JOB_DIRECTORY', { step, errno: Math.abs(errno), path }, cause)
}

// Where there is no /proc: macOS and the BSDs. Each look at ps(1) or sysctl(8) costs some milliseconds.

/** When a process started, seconds since the epoch; undefined when there is none, or only a zombie. */
export function startTimeFromPs(pid: number): number | undefined {
  // `lstart` is in no standard, but in every ps that has no /proc to read instead.
  const [state = '', ...date] = read('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]).split(/\s+/)
  const milliseconds = Date.parse(`${date.join(' ')} UTC`)
  return state.startsWith('Z') || Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

/** An id of this boot, or at least the time of it. */
function bootIdFromSysctl(): string {
  return (
    read('sysctl', ['-n', 'kern.bootsessionuuid']) || read('sysctl', ['-n', 'kern.boottime']) || 'unknown'
  )
}

function read(program: string, args: string[]): string {
  const options = { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' }, timeout: 5_000 } as const
  const { stdout, error } = childProcess().spawnSync(systemProgram(program), args, options)
  // It did not run, or not to its end, and so has not said that there is no such process.
  if (error !== undefined) throw unreadable('run', program, error)
  return stdout.trim()
}
