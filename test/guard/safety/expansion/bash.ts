// Asks bash itself, so that tests expect what bash does and not what we believe.

import { spawnSync } from 'node:child_process'

/** Runs a harmless script without files and options of the user, and gives what it prints. */
export function askBash(script: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-f', '-s'], {
    input: script,
    encoding: 'utf8',
    env: { LC_ALL: 'C', HOME: '/home/dev', X: 'x', S: 'a b', E: '' },
    cwd: '/',
    timeout: 30_000,
  })
  if (status !== 0) throw new Error(`bash failed: ${stderr}`)
  return stdout
}
