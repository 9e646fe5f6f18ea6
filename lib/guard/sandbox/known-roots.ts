// The writable directories that the last command had. Most commands have the same, and finding them out anew would take a
// twentieth of the time that a command takes.

import { stateDirectories, stateDirectoriesVersion } from '../../base/util/state-directories.js'
import { currentEngine } from '../../processes/engine/choose.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import type { LinkedPath } from './linked-path.js'
import type { PolicyPlace } from './policy-path.js'
import { hostDirectory, temporaryTop } from './refused-roots.js'

/** All that the answer depends on. */
interface KnownRoots {
  given: readonly string[]
  base: string
  environment: EncodedEnvironment
  shell: string
  /** Of this program: a relative entry of PATH begins there. */
  host: string
  states: number
  /** What is looked at again: each by its real name. */
  directories: readonly string[]
  stamp: string
  roots: readonly string[]
}

let known: KnownRoots | undefined

/** The roots of the last command, if nothing has changed that they depend on. */
export function knownRoots(given: readonly string[], place: PolicyPlace): readonly string[] | undefined {
  if (known?.given !== given || !isPlaceOf(known, place)) return undefined
  return currentEngine().stampOf(known.directories) === known.stamp ? known.roots : undefined
}

function isPlaceOf(known: KnownRoots, { base, environment, shell }: PolicyPlace): boolean {
  return (
    known.base === base &&
    known.environment === environment &&
    known.shell === shell &&
    known.host === hostDirectory() &&
    known.states === stateDirectoriesVersion()
  )
}

/**
 * To be called before the roots are judged, as what it looks at must not be older than that.
 *
 * @param found what was given. With a symbolic link on the way it is looked up for each command, and nothing is kept
 * @returns what keeps the roots for the next command
 */
export function rootsKeeper(
  given: readonly string[],
  { base, environment, shell }: PolicyPlace,
  found: readonly LinkedPath[],
): (roots: readonly string[]) => void {
  if (found.some(({ links }) => links.length > 0)) return () => {}
  const own = found.flatMap(({ real }) => [real, temporaryTop(real) ?? real])
  const directories = [...new Set([...own, ...stateDirectories()])]
  const stamp = currentEngine().stampOf(directories)
  if (stamp === '') return () => {}
  const [host, states] = [hostDirectory(), stateDirectoriesVersion()]
  return (roots) => {
    known = { given, base, environment, shell, host, states, directories, stamp, roots }
  }
}
