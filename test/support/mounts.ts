// Programs that see a directory or a file in another place, too.
import { spawnSync } from 'node:child_process'
import { isRoot } from './as-user.js'

/** Words before a program that sees `from` at `to`, too. Undefined: nothing can be mounted. */
export const prefixWithMount = (from: string, to: string): string[] | undefined =>
  prefixWithScript('mount --bind "$1" "$2"', from, to)

/** Words before a program for which a script has changed what is mounted; `$1` and so on are the places. Likewise. */
export const prefixWithScript = (mounts: string, ...places: string[]): string[] | undefined => {
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const script = `{ ${mounts}; } && shift ${places.length} && exec "$@"`
  const words = [...user, '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...places]
  return spawnSync('unshare', [...words, 'true']).status === 0 ? ['unshare', ...words] : undefined
}
