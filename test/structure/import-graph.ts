// Which file of lib imports which: what is loaded at once, what is loaded later, and what only gives types.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Import {
  from: string
  to: string
}

/** Paths of files below the root of the package. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** The files below a folder, as `lib/commands/run/run.ts`. */
export const sourcesOf = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?ts$/.test(file))
    .map((file) => join(folder, file))
    .sort()

/** @param read gives the text of a file */
export const graphOf = (files: readonly string[], read: (file: string) => string): ImportGraph =>
  new Map(
    files.map((file) => {
      const targets = specifiersIn(read(file)).flatMap((specifier) => targetOf(files, file, specifier) ?? [])
      return [file, [...new Set(targets)]]
    }),
  )

export const readFrom =
  (root: string) =>
  (file: string): string =>
    readFileSync(join(root, file), 'utf8')

/** Undefined for a package, and for a module of Node. */
const targetOf = (files: readonly string[], file: string, specifier: string): string | undefined => {
  if (!specifier.startsWith('.')) return undefined
  const path = normalize(join(dirname(file), specifier))
  const target = [path.replace(/\.js$/, '.ts'), path.replace(/\.mjs$/, '.mts')].find((name) =>
    files.includes(name),
  )
  if (target === undefined) throw new Error(`${file} imports ${specifier}, which is no file of lib`)
  return target
}

/** Of every form of an import: declarations, `export from`, `import()`, `require()`, `typeof import()`. */
const specifiersIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier)

/** Groups of files each of which leads to all others of its group: Tarjan's strongly connected components. */
export const circlesIn = (graph: ImportGraph): string[][] => {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const enter = (file: string): number => {
    const number = order.size
    order.set(file, number)
    let low = number
    open.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, enter(target))
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low)
    }
    lowest.set(file, low)
    if (low !== number) return low
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || graph.get(file)?.includes(file)) circles.push(group.sort())
    return low
  }
  for (const file of graph.keys()) if (!order.has(file)) enter(file)
  return circles
}

/** The imports that lead from a lower floor to a higher one. */
export const upwardIn = (graph: ImportGraph, floorOf: (file: string) => number): Import[] =>
  [...graph].flatMap(([from, targets]) =>
    targets.filter((to) => floorOf(to) > floorOf(from)).map((to) => ({ from, to })),
  )
