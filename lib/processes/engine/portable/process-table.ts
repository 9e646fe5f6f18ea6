// The processes of this machine: from /proc, or from ps(1) where there is none.

import { spawnSync } from 'node:child_process'
import {
  parseStat,
  processStartTime,
  procPids,
  readProcFile,
  showsOwnProcesses,
} from '../../../base/util/process-identity.js'
import { systemProgram } from '../../../base/util/system-programs.js'

export interface TableEntry {
  pid: number
  pgid: number
  /** Its arguments, joined by spaces, 200 characters at most. */
  command: string
}

const maxCommand = 200

/**
 * @returns undefined when it has ended, or its number means another process in the table
 * @throws {BashError} when the table cannot be read
 */
export function leaderStartTime(pgid: number): number | undefined {
  return isLinux && !showsOwnProcesses() ? undefined : processStartTime(pgid)
}

/**
 * The living processes of the group that `leader` leads; on Linux also those of its session.
 *
 * @throws {Error} when the table cannot be read, or is that of another PID namespace
 */
export function livingMembers(leader: number): TableEntry[] {
  if (!isLinux) return fromPs(leader)
  if (!showsOwnProcesses()) throw new Error('/proc shows another PID namespace')
  return fromProc(leader)
}

/** Of a child that nobody has waited for yet. False where the processes of this machine cannot be seen. */
export function isZombie(pid: number): boolean {
  if (!isLinux || !showsOwnProcesses()) return false
  const stat = readProcFile(`/proc/${pid}/stat`)
  return stat !== undefined && parseStat(stat).state === 'Z'
}

const isLinux = process.platform === 'linux'

function fromProc(leader: number): TableEntry[] {
  return procPids().flatMap((pid) => {
    const stat = readProcFile(`/proc/${pid}/stat`)
    if (stat === undefined) return []
    const { state, pgid, sid } = parseStat(stat)
    if (state === 'Z' || state === 'X' || (pgid !== leader && sid !== leader)) return []
    const words = Buffer.from(readProcFile(`/proc/${pid}/cmdline`) ?? '', 'latin1').toString()
    const command = words.replace(/\0+$/, '').replaceAll('\0', ' ').slice(0, maxCommand)
    return [{ pid, pgid, command }]
  })
}

/** `ps -A -o` with these columns is POSIX but for `stat`, which Linux, macOS and the BSDs have. */
export function fromPs(leader: number): TableEntry[] {
  const columns = ['pid=', 'pgid=', 'stat=', 'args='].flatMap((column) => ['-o', column])
  const { LANG, LC_ALL, LC_CTYPE } = process.env
  const { stdout, error } = spawnSync(systemProgram('ps'), ['-A', ...columns], {
    encoding: 'utf8',
    // Neither a library of a variable's choice nor one of the working directory: both may be a command's.
    cwd: '/',
    env: { LANG, LC_ALL, LC_CTYPE },
    timeout: 5_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  // It did not run, or not to its end.
  if (error !== undefined) throw error
  return stdout.split('\n').flatMap((line) => {
    const [, pid, pgid, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (Number(pgid) !== leader || state.startsWith('Z')) return []
    return [{ pid: Number(pid), pgid: leader, command: command.slice(0, maxCommand) }]
  })
}
