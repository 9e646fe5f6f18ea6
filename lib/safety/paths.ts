// Paths as text: nothing here looks at the file system.

/** An absolute path without `.`, `..` and repeated slashes, and without a slash at the end. */
export function normalize(path: string): string {
  const components: string[] = []
  for (const component of path.split('/')) {
    if (component === '..') components.pop()
    else if (component !== '' && component !== '.') components.push(component)
  }
  return `/${components.join('/')}`
}

/** The last component. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
