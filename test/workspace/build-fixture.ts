// Compiles a program of test/fixtures/workspace that stands alone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { tempDir } from '../support/temp-dir.js'

/** Its path, which lasts until `removeTempDirs`; undefined without a C compiler. */
export const buildFixture = (name: string, ...flags: string[]): string | undefined => {
  const program = join(tempDir(), name)
  const source = join(packageRoot, 'test/fixtures/workspace', `${name}.c`)
  const { status, stderr, error } = spawnSync('cc', ['-O1', ...flags, '-o', program, source], {
    encoding: 'utf8',
  })
  if (error !== undefined) return undefined
  if (status !== 0) throw new Error(`cc: ${stderr}`)
  return program
}
