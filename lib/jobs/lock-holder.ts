// The supervisor of a job whose record says nothing: it holds a lock on the output file, and /proc/locks says who does.

import { lstatSync } from 'node:fs'
import {
  bootId,
  isSupervisorProcess,
  type ProcessIdentity,
  pidNamespace,
  processStartTime,
  readProcFile,
  showsOwnProcesses,
} from './identity.js'

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
  const { ino } = lstatSync(outputFile)
  // proc_locks(5). The device is not compared: some file systems tell stat(2) another one.
  const line = new RegExp(`^\\d+: FLOCK +ADVISORY +WRITE (\\d+) [0-9a-f]+:[0-9a-f]+:${ino} `, 'm')
  const pid = Number(line.exec(readProcFile('/proc/locks') ?? '')?.[1])
  return pid > 1 ? pid : undefined
}
