// Builds the fault shim with the machine's C compiler.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @returns {{ program: string, remove: () => void } | { obstacle: string }} */
export const buildShim = () => {
  const directory = mkdtempSync(join(tmpdir(), 'bashward-fault-shim-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const program = join(directory, 'fault-shim')
  const source = fileURLToPath(new URL('shim/fault-shim.c', import.meta.url))
  const { status, stderr, error } = spawnSync(
    'cc',
    ['-O1', '-Wall', '-Wextra', '-Wshadow', '-Werror', '-o', program, source],
    { encoding: 'utf8' },
  )
  const tried = status === 0 ? spawnSync(program, ['read', 'true'], { encoding: 'utf8' }) : undefined
  if (tried?.status === 0) return { program, remove }
  remove()
  if (error !== undefined) return { obstacle: 'there is no C compiler' }
  if (status !== 0) throw new Error(`cc: ${stderr}`)
  return { obstacle: tried.stderr.trim() }
}
