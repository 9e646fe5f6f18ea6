// Which bash runs the commands.

import { accessSync, constants, statSync } from 'node:fs'
import { constants as os } from 'node:os'
import { delimiter, join } from 'node:path'
import { systemError } from '../errors.js'

// What execvp(3) searches when PATH is not set.
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

let found: { path: string; shell: string } | undefined

/**
 * The absolute path of the first bash on this process's PATH. Looked for once for each value of PATH: a bash that
 * is removed afterwards shows as a failed execve.
 *
 * @throws {BashError} ERR_SPAWN when there is none
 */
export function findBash(): string {
  const path = process.env.PATH ?? defaultPath
  if (found?.path !== path) found = { path, shell: search(path) }
  return found.shell
}

function search(path: string): string {
  for (const directory of path.split(delimiter)) {
    // An empty entry means the working directory; a bash from there is nobody's intent.
    if (!directory.startsWith('/')) continue
    const candidate = join(directory, 'bash')
    if (isExecutableFile(candidate)) return candidate
  }
  throw systemError('ERR_SPAWN', { step: 'find bash on PATH', errno: os.errno.ENOENT })
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    // Deno's error for a permission that is missing is none of a system call, and says which one.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  }
}
