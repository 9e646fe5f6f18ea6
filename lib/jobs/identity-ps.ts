// The identity of a process where there is no /proc: macOS and the BSDs. From ps(1) and sysctl(8), so each look costs
// some milliseconds.

import { childProcess } from '../util/lazy.js'
import { directoryError } from './directory.js'

/** When a process started, seconds since the epoch; undefined when there is none, or only a zombie. */
export function startTimeFromPs(pid: number): number | undefined {
  // `lstart` is in no standard, but in every ps that has no /proc to read instead.
  const [state = '', ...date] = read('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]).split(/\s+/)
  const milliseconds = Date.parse(`${date.join(' ')} UTC`)
  return state.startsWith('Z') || Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

/** An id of this boot, or at least the time of it. */
export function bootIdFromSysctl(): string {
  return (
    read('sysctl', ['-n', 'kern.bootsessionuuid']) || read('sysctl', ['-n', 'kern.boottime']) || 'unknown'
  )
}

function read(program: string, args: string[]): string {
  const { PATH = '/usr/bin:/bin:/usr/sbin:/sbin' } = process.env
  const env = { PATH, LC_ALL: 'C', TZ: 'UTC' }
  const { stdout, error } = childProcess().spawnSync(program, args, { encoding: 'utf8', env, timeout: 5_000 })
  // It did not run, or not to its end, and so has not said that there is no such process.
  if (error !== undefined) throw directoryError('run', program, error)
  return stdout.trim()
}
