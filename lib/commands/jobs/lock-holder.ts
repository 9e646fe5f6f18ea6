// The supervisor of a job whose record says nothing: it holds a lock on the output file, and /proc/locks says who does.

import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import {
  bootId,
  isSupervisorProcess,
  type ProcessIdentity,
  pidNamespace,
  processStartTime,
  readProcFile,
  showsOwnProcesses,
} from '../../base/util/process-identity.js'

/**
 * @returns undefined where that cannot be told, as in another PID namespace
 * @throws {BashError} ERR_JOB_DIRECTORY
 */
export function lockHolder(outputFile: string): ProcessIdentity | undefined {
  if (!showsOwnProcesses()) return undefined
  const pid = holderOf(outputFile)
  if (pid === undefined || !isSupervisorProcess(pid)) return undefined
  const startTime = processStartTime(pid)
  // It held the lock before its start time was read and after: so it is that process, and no later one of its number.
  if (startTime === undefined || holderOf(outputFile) !== pid) return undefined
  return { pid, startTime, bootId: bootId(), pidNamespace: pidNamespace() }
}

function holderOf(outputFile: string): number | undefined {
  const file = statIfThere(outputFile)
  if (file === undefined) return undefined
  // proc_locks(5). Other file systems have files of the same number.
  const line = new RegExp(`^\\d+: FLOCK +ADVISORY +WRITE (\\d+) ([0-9a-f]+:[0-9a-f]+):${file.ino} `, 'gm')
  for (const [, holder, device] of (readProcFile('/proc/locks') ?? '').matchAll(line)) {
    const pid = Number(holder)
    if (pid > 1 && (device === deviceIn(file) || hasOpen(pid, file))) return pid
  }
  return undefined
}

/** A command can have taken it away. */
function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** As /proc/locks has it (makedev(3)): of some file systems, such as btrfs, stat(2) tells another one. */
function deviceIn({ dev }: Stats): string {
  const major = Math.floor(dev / 0x100) & 0xfff
  const minor = (dev & 0xff) | (Math.floor(dev / 0x1000) & 0xfff00)
  return [major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':')
}

/** Not to be seen where the process keeps secrets. */
function hasOpen(pid: number, { dev, ino }: Stats): boolean {
  const directory = `/proc/${pid}/fd`
  try {
    return readdirSync(directory).some((descriptor) => {
      const open = statSync(`${directory}/${descriptor}`, { throwIfNoEntry: false })
      return open?.dev === dev && open.ino === ino
    })
  } catch {
    return false
  }
}
