// Paths as text: nothing here looks at the file system.

import { unknownText } from './rule.js'

/** A path, or a pattern of paths, without `.`, repeated slashes, and `..` as far as that can be known. */
export interface Path {
  absolute: boolean
  /** How many directories up it begins. */
  up: number
  components: readonly string[]
}

export function readPath(path: string): Path {
  const components: string[] = []
  const absolute = path.startsWith('/')
  let up = 0
  for (const component of path.split('/')) {
    if (component === '' || component === '.') continue
    const last = components.at(-1)
    if (component !== '..') components.push(component)
    // What is not known may be more than one directory, or none.
    else if (last === '..' || last?.includes(unknownText)) components.push(component)
    else if (components.pop() === undefined && !absolute) up++
  }
  return { absolute, up, components }
}

/** What most absolute paths are already. */
const normal = /^(?:\/(?!\.\.?(?:\/|$))[^/]+)+$/

/** An absolute path without `.`, `..` and repeated slashes, and without a slash at the end. */
export function normalize(path: string): string {
  if (normal.test(path)) return path
  return `/${readPath(path).components.join('/')}`
}

/** The last component. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
