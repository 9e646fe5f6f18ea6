// Reading /proc: a file of a process that is gone is no error, and no other error means that a process is gone.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { directoryError } from './directory.js'

/** Whether there is a /proc that shows this process. Asked when it matters: Deno, without `--allow-all`, throws. */
export const hasProc = (): boolean => existsSync('/proc/self/stat')

/**
 * @returns undefined when there is no such file, or its process has ended
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path: no descriptor is left, for one
 */
export function readProcFile(path: string): string | undefined {
  return unlessGone('read', path, () => readFileSync(path, 'latin1'))
}

/** The same of a link. */
export function readProcLink(path: string): string | undefined {
  return unlessGone('readlink', path, () => readlinkSync(path))
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
    throw directoryError(step, path, cause)
  }
}
