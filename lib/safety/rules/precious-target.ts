// Whether a path, or a pattern, is one of those that must not be deleted as a whole.

import {
  escapePattern,
  isPattern,
  matches,
  matchesEverything,
  matchesEverythingHidden,
  unescapePattern,
} from '../glob.js'
import { type Argument, type CheckedCommand, unknownText } from '../rule.js'

/** Directories whose whole contents may go. */
const temporary = new Set(['/tmp', '/var/tmp', '/dev/shm'])

/** A path, or a pattern, in components. */
interface Target {
  absolute: boolean
  /** How many directories up it begins. */
  up: number
  /** As patterns. */
  components: readonly string[]
}

/** What it is, as a message says it; null: nothing of importance, as far as the text tells. */
export function preciousTarget({ text, pattern }: Argument, command: CheckedCommand): string | null {
  if (text === '') return null
  const target = readTarget(pattern ?? escapePattern(text))
  return repository(target) ?? place(target, command)
}

function readTarget(pattern: string): Target {
  const components: string[] = []
  let up = 0
  const absolute = pattern.startsWith('/')
  for (const component of pattern.split('/')) {
    if (component === '' || component === '.') continue
    if (component !== '..') components.push(component)
    // What is not known may be more than one directory, or none.
    else if (components.at(-1)?.includes(unknownText) || components.at(-1) === '..') components.push('..')
    else if (components.pop() === undefined && !absolute) up++
  }
  return { absolute, up, components }
}

function repository({ components }: Target): string | null {
  const last = components.at(-1) ?? ''
  const parent = components.at(-2) ?? ''
  if (unescapePattern(last) === '.git') return 'the git repository (.git)'
  const inRepository = unescapePattern(parent) === '.git' && isPattern(last)
  return inRepository && matchesAll(last) ? 'everything in the git repository (.git)' : null
}

function matchesAll(pattern: string): boolean {
  return isPattern(pattern) && (matchesEverything(pattern) || matchesEverythingHidden(pattern))
}

function place(target: Target, { workingDir, startDir, home }: CheckedCommand): string | null {
  const { absolute, up, components } = target
  const whole = withoutContents(components)
  const contents = whole.length < components.length
  const everythingIn = contents ? 'everything in ' : ''
  if (!absolute && whole.length === 0)
    return `${everythingIn}${up === 0 ? 'the working directory' : 'a directory above the working directory'}`
  const path = absolute ? whole : resolve(workingDir, up, whole)
  const last = components.at(-1) as string
  if (!absolute && components.length === 1 && isPattern(last) && matches(last, '.git'))
    return 'the git repository (.git)'
  if (path === null) return null
  if (path.length === 0) return `${everythingIn}the root directory`
  if (contents && temporary.has(`/${path.map(unescapePattern).join('/')}`)) return null
  if (isHome(path, home)) return `${everythingIn}a home directory`
  const first = components[0] as string
  const isRepository = isPattern(last) && !contents && matches(last, '.git')
  if (isRepository && !first.includes(unknownText)) return 'a git repository (.git)'
  if (covers(path, home)) return `${everythingIn}a directory with the home directory in it`
  return covers(path, startDir)
    ? `${everythingIn}${path.length === split(startDir).length ? '' : 'a directory above '}the working directory`
    : null
}

/** Without the patterns at the end that match everything: then it is about what is in the rest. */
function withoutContents(components: readonly string[]): readonly string[] {
  let end = components.length
  while (end > 0 && matchesAll(components[end - 1] as string)) end--
  return components.slice(0, end)
}

/** The components of the absolute path; null when not known. */
function resolve(
  directory: string | null,
  up: number,
  components: readonly string[],
): readonly string[] | null {
  if (directory === null) return null
  const base = split(directory)
  return [...base.slice(0, Math.max(base.length - up, 0)).map(escapePattern), ...components]
}

function split(path: string): readonly string[] {
  return path.split('/').filter((component) => component !== '')
}

/** `/root`, `/home/NAME`, and the home directory that is known. */
function isHome(path: readonly string[], home: string | null): boolean {
  const [first, second] = path.map(unescapePattern)
  if (path.length === 1 && first === 'root') return true
  if (path.length === 2 && (first === 'home' || first === 'Users') && second !== '..') {
    // `$HOME.old` is a copy, and nobody's home directory.
    return home === null || !isCopy(`/${first}/${second}`, home)
  }
  return home !== null && home !== '/' && path.length === split(home).length && covers(path, home)
}

function isCopy(path: string, home: string): boolean {
  return path.startsWith(home) && /^\W/.test(path.slice(home.length))
}

/** Whether it is the directory, or one above it. */
function covers(path: readonly string[], directory: string | null): boolean {
  if (directory === null) return false
  const components = split(directory)
  return (
    path.length <= components.length &&
    path.every((pattern, index) => {
      const component = components[index] as string
      return isPattern(pattern) ? matches(pattern, component) : unescapePattern(pattern) === component
    })
  )
}
