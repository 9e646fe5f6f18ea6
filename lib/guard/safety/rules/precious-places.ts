// Whether a path, or a pattern, is one of those that must not be deleted as a whole.

import {
  escapePattern,
  isPattern,
  matches,
  matchesEverything,
  matchesEverythingHidden,
  unescapePattern,
} from '../glob.js'
import { type Path, readPath } from '../paths.js'
import type { Argument, CheckedCommand } from '../rule.js'
import { homeDepth, isKeptInHome, isSystemDirectory, systemDepth } from './kept-directories.js'

/** Directories whose whole contents may go. */
export const temporary: ReadonlySet<string> = new Set(['/tmp', '/var/tmp', '/dev/shm'])

/** Depth of the directories that hold home directories. */
const homesDepth = 1

/** The root, directories of the system, home directories, repositories, and the working directory, for one command. */
export class PreciousPlaces {
  readonly #home: readonly string[] | undefined
  readonly #start: readonly string[]
  /** As patterns. */
  readonly #working: readonly string[] | undefined
  readonly #maxDepth: number

  constructor({ workingDir, startDir, home }: CheckedCommand) {
    this.#home = home === null || home === '/' ? undefined : split(home)
    this.#start = split(startDir)
    this.#working = workingDir === null ? undefined : split(workingDir).map(escapePattern)
    const deepestHome = Math.max(this.#home?.length ?? 0, homesDepth + 1)
    this.#maxDepth = Math.max(deepestHome + homeDepth, this.#start.length, systemDepth)
  }

  /** Whether it is the root, or everything in it. */
  isRoot({ text, pattern }: Argument): boolean {
    const { absolute, components } = readPath(pattern ?? escapePattern(text))
    return absolute && withoutContents(components).length === 0
  }

  /** What it is, as a message says it; undefined: nothing of importance, as far as the text tells. */
  describe({ text, pattern }: Argument): string | undefined {
    if (text === '') return undefined
    const target = readPath(pattern ?? (text.includes('/') ? escapePattern(text) : escapeName(text)))
    return repository(target) ?? this.#place(target)
  }

  #place({ absolute, up, components }: Path): string | undefined {
    const whole = withoutContents(components)
    const contents = whole.length < components.length ? 'everything in ' : ''
    if (!absolute && whole.length === 0) {
      return `${contents}${up === 0 ? 'the working directory' : 'a directory above the working directory'}`
    }
    const path = absolute ? whole : this.#resolve(up, whole)
    if (path === undefined || path.length > this.#maxDepth) return undefined
    if (path.length === 0) return `${contents}the root directory`
    if (contents !== '' && temporary.has(`/${path.map(unescapePattern).join('/')}`)) return undefined
    if (this.#home !== undefined && path.length === this.#home.length && covers(path, this.#home)) {
      return `${contents}the home directory`
    }
    if (this.#isHome(path)) return `${contents}a home directory`
    if (this.#home !== undefined && covers(path, this.#home))
      return `${contents}a directory with the home directory in it`
    if (isSystemDirectory(path, contents !== '')) return `${contents}a system directory`
    if (this.#isKept(path)) return 'keys, settings or other data in a home directory'
    if (!covers(path, this.#start)) return undefined
    return `${contents}${path.length === this.#start.length ? '' : 'a directory above '}the working directory`
  }

  /** The components of the absolute path; undefined when not known, or too deep to matter. */
  #resolve(up: number, components: readonly string[]): readonly string[] | undefined {
    const working = this.#working
    if (working === undefined) return undefined
    const depth = Math.max(working.length - up, 0)
    return depth + components.length > this.#maxDepth
      ? undefined
      : [...working.slice(0, depth), ...components]
  }

  /** `/root`, `/home/NAME` */
  #isHome(path: readonly string[]): boolean {
    const home = this.#home
    const [first, second = ''] = path.map(unescapePattern)
    if (path.length === 1) return first === 'root'
    if (path.length !== homesDepth + 1 || (first !== 'home' && first !== 'Users')) return false
    // `$HOME.old` is a copy, and nobody's home directory.
    const own = home?.length === path.length && home[0] === first ? home[1] : undefined
    return own === undefined || !second.startsWith(own) || /^\w/.test(second.slice(own.length))
  }

  /** `~/.ssh`, and the like in other home directories. */
  #isKept(path: readonly string[]): boolean {
    const home = this.#home
    if (home !== undefined && path.length > home.length && covers(path.slice(0, home.length), home))
      return isKeptInHome(path.slice(home.length))
    const depth = unescapePattern(path[0] ?? '') === 'root' ? 1 : homesDepth + 1
    return this.#isHome(path.slice(0, depth)) && isKeptInHome(path.slice(depth))
  }
}

/** Most names need no backslashes. */
function escapeName(name: string): string {
  return /^[\w.-]*$/.test(name) ? name : escapePattern(name)
}

function repository({ absolute, components }: Path): string | undefined {
  const last = components.at(-1) ?? ''
  if (unescapePattern(last) === '.git') return 'the git repository (.git)'
  if (!isPattern(last)) return undefined
  const everything = matchesAll(last)
  if (unescapePattern(components.at(-2) ?? '') === '.git') {
    return everything ? 'everything in the git repository (.git)' : undefined
  }
  // Everything hidden means the repository only in the working directory.
  const isHere = !absolute && components.length === 1
  return matches(last, '.git') && (isHere || !everything) ? 'the git repository (.git)' : undefined
}

/** Drops patterns at the end that match everything: such a path means the contents of the rest. */
function withoutContents(components: readonly string[]): readonly string[] {
  return components.slice(0, components.findLastIndex((component) => !matchesAll(component)) + 1)
}

function matchesAll(pattern: string): boolean {
  return isPattern(pattern) && (matchesEverything(pattern) || matchesEverythingHidden(pattern))
}

function split(path: string): readonly string[] {
  return path.split('/').filter((component) => component !== '')
}

/** Whether it is the directory, or one above it. */
function covers(path: readonly string[], directory: readonly string[]): boolean {
  return (
    path.length <= directory.length &&
    path.every((pattern, index) => {
      const component = directory[index] ?? ''
      return isPattern(pattern) ? matches(pattern, component) : unescapePattern(pattern) === component
    })
  )
}
