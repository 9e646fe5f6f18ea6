// Runs as root what only root can prepare or show, for tests that ordinary users run, too.
import { spawnSync } from 'node:child_process'
import { once } from '../../lib/base/util/lazy.js'
import { isRoot } from './as-user.js'

/** The words to put before a command so that it runs as root; undefined where sudo(8) does not grant that unasked. */
export const rootPrefix = once((): string[] | undefined => {
  if (isRoot) return []
  const sudo = ['sudo', '--non-interactive', '--']
  return spawnSync('sudo', ['--non-interactive', '--', 'true'], { stdio: 'ignore' }).status === 0
    ? sudo
    : undefined
})

/** Runs a command as root to its end. Only where {@link rootPrefix} is defined. */
export const asRoot = (...words: string[]): void => {
  const [program = '', ...args] = [...(rootPrefix() ?? []), ...words]
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${words.join(' ')}: ${error ?? stderr}`)
}
