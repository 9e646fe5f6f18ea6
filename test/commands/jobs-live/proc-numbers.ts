// What the kernel counts of a process: proc_pid_stat(5), proc_pid_status(5).
import { readFileSync } from 'node:fs'

/** CPU time in user mode and in the kernel so far, clock ticks. */
export const cpuTicks = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Fields 14 and 15; the first after the name is field 3.
  return Number(fields[11]) + Number(fields[12])
}

/** Resident memory, bytes. */
export const residentBytes = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
