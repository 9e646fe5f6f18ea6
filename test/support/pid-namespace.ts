// Programs in a PID namespace of their own, as in a container.
import { spawnSync } from 'node:child_process'
import { cannotTest } from './must-work.js'

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']

/**
 * Words before a program that make it process 1 of a new PID namespace, which ends with it.
 *
 * @param proc `'own'`: with a /proc of that namespace; `'foreign'`: it keeps the one that is there
 * @returns undefined, and says so, where that is not allowed
 */
export const pidNamespacePrefix = (proc: 'own' | 'foreign'): string[] | undefined => {
  const mount = proc === 'own' ? ['--mount-proc'] : []
  const prefix = ['unshare', ...user, '--fork', '--pid', '--kill-child', ...mount]
  const [program = '', ...args] = prefix
  const { status, stderr, error } = spawnSync(program, [...args, 'true'], { encoding: 'utf8' })
  if (status === 0) return prefix
  cannotTest(`no PID namespace can be made: ${error?.message ?? stderr.trim()}`)
  return undefined
}
