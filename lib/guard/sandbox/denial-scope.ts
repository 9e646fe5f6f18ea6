// What a policy lets a command write to and read, and where the paths are that it speaks of.

import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from '../../base/util/absolute-paths.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import { workingDirectoryAt } from './denial-directories.js'
import type { Examined } from './denial-lines.js'
import { type Place, Places } from './denial-places.js'
import { isPlain, pathsIn } from './denial-targets.js'
import type { Confinement } from './denial-words.js'
import type { Denial } from './denials.js'

/** What is known of a command that ran confined. */
export interface ConfinedRun extends Confinement {
  output: string
  /** Null when it did not run to its end. */
  exitCode: number | null
  command: string
  /** Where it ran. */
  directory: string
  report: SandboxEvents | undefined
  /** Whether a policy may have a directory among its writable ones. Default: none. */
  mayBeWritable?: ((directory: string) => boolean) | undefined
}

export type ExaminedRun = ConfinedRun & Examined

export class Scope {
  readonly #run: ExaminedRun
  readonly #roots: readonly string[]
  readonly #unreadable: readonly RegExp[]
  #places: Places | undefined

  constructor(run: ExaminedRun) {
    const { writable, scratchDirectory, unreadable } = run.plan
    this.#run = run
    this.#roots = scratchDirectory === '' ? writable : [...writable, scratchDirectory]
    this.#unreadable = unreadable.map(patternOf)
  }

  /** The paths of a line, absolute. */
  pathsIn(line: string): string[] {
    const base = workingDirectoryAt(line, this.#run.directory, this.#run)
    return pathsIn(line).flatMap((path) => {
      if (path.startsWith('/')) return [plain(path)]
      return base === undefined || path.startsWith('~') ? [] : [plain(join(base, path))]
    })
  }

  follow(path: string): Place {
    if (!path.startsWith('/')) return { path, directory: undefined }
    this.#places ??= new Places([this.#run.directory, ...this.#roots])
    return this.#places.follow(path)
  }

  /** The writable directory that a path is below, or is. */
  rootOf(path: string): string | undefined {
    return this.#roots.find((root) => isWithin(path, root))
  }

  isOutside(path: string): boolean {
    return this.rootOf(this.follow(path).path) === undefined
  }

  /** The first path of a line that cannot be read. */
  unreadablePath(line: string): string | undefined {
    if (this.#unreadable.length === 0) return undefined
    const isUnreadable = (path: string) => this.#unreadable.some((pattern) => pattern.test(path))
    return this.pathsIn(line).find((path) => isUnreadable(path) || isUnreadable(this.follow(path).path))
  }

  /** Whether an argument of the command is a path outside of what can be written. */
  isOutsideNamed(): boolean {
    return (this.#run.calls() ?? []).some(({ rest }) =>
      rest.split(/\s+/).some((word) => {
        if (!/^(?:\/|~\/|\.\.\/)/.test(word) || word.startsWith('/dev/')) return false
        if (word.startsWith('~')) return true
        return this.isOutside(join(word.startsWith('/') ? '/' : this.#run.directory, word))
      }),
    )
  }

  /**
   * What would let a path be changed. What a policy may not have, and what the user may not write to anyway, is none.
   *
   * @param isWritten whether a directory is to be written to, and not itself changed: its mode is its parent's business,
   *   for what is writable keeps its own
   */
  grantFor({ path, directory: existing }: Place, isWritten: boolean): Pick<Denial, 'grant'> {
    const { mayBeWritable } = this.#run
    if (existing === undefined || mayBeWritable === undefined) return {}
    const directory = existing === path && !isWritten ? dirname(path) : existing
    if (!isPlain(directory) || !canWrite(directory) || !isAllowed(directory, mayBeWritable)) return {}
    return { grant: { writable: [directory] } }
  }
}

function plain(path: string): string {
  return join(path).replace(/(?<=.)\/$/, '')
}

/** It looks at the disk, which may have changed meanwhile. */
function isAllowed(directory: string, mayBeWritable: (directory: string) => boolean): boolean {
  try {
    return mayBeWritable(directory)
  } catch {
    return false
  }
}

function canWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Fits a path of the policy and what is below it; its last component may have `*` for any characters. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${escaped}(?:/|$)`)
}
