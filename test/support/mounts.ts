// Programs that see a directory or a file in another place, too.
import { spawnSync } from 'node:child_process'
import { isRoot } from './as-user.js'

/** Words before a program that sees `from` at `to`, too. Undefined: nothing can be mounted. */
export const prefixWithMount = (from: string, to: string): string[] | undefined => {
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
  const words = [...user, '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', from, to]
  return spawnSync('unshare', [...words, 'true']).status === 0 ? ['unshare', ...words] : undefined
}
