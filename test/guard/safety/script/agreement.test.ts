// Two independent readers agree wherever both trust themselves.
import * as fc from 'fast-check'
import { cannotTest } from '../../../support/must-work.js'
import { readOnlyTree, readOnlyUnbash, readWithTree } from './read.js'
import { scripts } from './scripts.js'
import { installedScripts } from './system-scripts.js'

/** The paths of those that the readers read otherwise. */
const differing = (texts: Map<string, string>): string[] =>
  [...texts].filter(([, text]) => !agree(text)).map(([path]) => path)

function agree(text: string): boolean {
  const tree = readOnlyTree(text)
  const unbash = readOnlyUnbash(text)
  if (tree.unread !== null || unbash.unread !== null) return true
  return JSON.stringify(tree) === JSON.stringify(unbash)
}

describe('the scripts of this system', () => {
  const installed = installedScripts()

  test('are read to the end', () => {
    if (installed.size === 0) cannotTest('there are no shell scripts')
    const unread = [...installed].filter(([, text]) => readWithTree(text).unread !== null)
    expect(unread.map(([path]) => path)).toEqual([])
  })

  test('are read alike from the tree and by unbash', () => {
    expect(differing(installed)).toEqual([])
  })

  test('are mostly read from the tree', () => {
    const trusted = [...installed.values()].filter((text) => readOnlyTree(text).unread === null)
    expect(trusted.length).toBeGreaterThanOrEqual(installed.size * 0.8)
  })
})

test('scripts at random are read alike from the tree and by unbash', () => {
  const short = scripts.filter((text) => text.length < 2000)
  fc.assert(
    fc.property(short, (text) => agree(text)),
    { numRuns: 400, seed: 2026 },
  )
})
