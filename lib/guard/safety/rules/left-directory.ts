// `cd .. && rm -rf build`, of a command that was started in `build`: it has left the directory, and nobody stands there
// any more. Only here a rule looks at the file system: what holds a repository stays.

import { existsSync, opendirSync, realpathSync } from 'node:fs'
import { normalize } from '../paths.js'
import { type Argument, type CheckedCommand, unknownText } from '../rule.js'
import { PreciousPlaces, temporary } from './precious-places.js'

/** A path with nothing to be expanded but `~`, or what is in it. */
const isName = /^[^$`?[{*]+(?:\/\*)?$/

/** Of a directory, what is looked at: one with more counts as one that holds a repository. */
const maxEntries = 50_000
const maxDirectories = 1000

/** Whether it is a directory by its name in which the command does not stand, and which may go. */
export function isElsewhere(command: CheckedCommand, target: Argument): boolean {
  const { workingDir, startDir, contextDir = startDir, home } = command
  if (workingDir === null || target.text.includes(unknownText) || !isName.test(target.source)) return false
  const path = normalize(`${target.text.startsWith('/') ? '' : `${workingDir}/`}${target.text}`)
  const directory = path.replace(/\/\*$/, '')
  const holds = (other: string) => other === directory || other.startsWith(`${directory}/`)
  if (holds(workingDir) || temporary.has(directory)) return false
  // Neither HOME nor a directory of the system.
  if (new PreciousPlaces({ ...command, startDir: '/' }).describe(target) !== undefined) return false
  const isContext = holds(contextDir) || holds(realPath(contextDir))
  if (isContext && ![...temporary].some((parent) => directory.startsWith(`${parent}/`))) return false
  // Another name of one of them.
  if (realPath(directory) !== directory) return false
  if ([workingDir, home ?? '/'].some((other) => holds(realPath(other)))) return false
  return !holdsRepository(directory, [startDir, contextDir].filter(holds))
}

/** @param inside directories in it, in which and above which repositories are looked for */
function holdsRepository(directory: string, inside: readonly string[]): boolean {
  for (const start of inside) {
    for (let at = start; at.length >= directory.length; at = at.slice(0, at.lastIndexOf('/'))) {
      if (isRepository(at)) return true
    }
  }
  const names = directoriesIn(directory)
  // Nobody has looked at the others.
  if (names === undefined) return true
  return isRepository(directory) || names.some((name) => isRepository(`${directory}/${name}`))
}

/** Also one without a working tree. */
function isRepository(directory: string): boolean {
  return (
    existsSync(`${directory}/.git`) || (existsSync(`${directory}/HEAD`) && existsSync(`${directory}/objects`))
  )
}

/** Links are not followed by rm, either. @returns undefined for more than are looked at */
function directoriesIn(directory: string): string[] | undefined {
  const names: string[] = []
  let left = maxEntries
  try {
    const entries = opendirSync(directory)
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        if (entry.isDirectory()) names.push(entry.name)
        left -= 1
        if (left < 0 || names.length > maxDirectories) return undefined
      }
    } finally {
      entries.closeSync()
    }
  } catch {
    // What cannot be read is not removed with what is in it, either.
  }
  return names
}

/** What is not there, or cannot be looked at, is taken by its name. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
