// A program that makes the kernel's Landlock look older than it is, or absent, to the program that it runs.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from './as-user.js'
import { tempDir } from './temp-dir.js'

let built: string | undefined

/**
 * The words to put before a command. The program lasts until `removeTempDirs`.
 *
 * @param mode an ABI from 1 to 11, or the error of the system calls: `'ENOSYS'`, `'EOPNOTSUPP'`, `'EPERM'`
 * @returns why there can be no such thing here, when there cannot
 */
export const shimPrefix = (mode: string): string[] | { obstacle: string } => {
  if (built === undefined) {
    const program = join(tempDir(), 'landlock-shim')
    const source = join(packageRoot, 'test/fixtures/sandbox/landlock-shim.c')
    const { status, stderr, error } = spawnSync('cc', ['-O1', '-o', program, source], { encoding: 'utf8' })
    if (error !== undefined) return { obstacle: 'there is no C compiler' }
    if (status !== 0) throw new Error(`cc: ${stderr}`)
    built = program
  }
  const { status, stderr } = spawnSync(built, [mode, 'true'], { encoding: 'utf8' })
  return status === 0 ? [built, mode] : { obstacle: stderr.trim() }
}
