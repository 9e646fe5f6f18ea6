// No two files of lib need each other, and no room imports from one above it: types count as well.
import { packageRoot } from '../support/as-user.js'
import { circlesIn, graphOf, readFrom, sourcesOf, upwardIn } from './import-graph.js'
import { floorOf, floors, groupOf, roomOf } from './rooms.js'

const files = sourcesOf(packageRoot, 'lib')
const graph = graphOf(files, readFrom(packageRoot))

/** A graph of made-up files, by their texts. */
const graphOfTexts = (texts: Record<string, string>) =>
  graphOf(Object.keys(texts), (file) => texts[file] ?? '')

test('no file of lib is part of a circle', () => {
  expect(circlesIn(graph)).toEqual([])
})

test('no room imports from a room above it', () => {
  expect(upwardIn(graph, floorOf)).toEqual([])
})

test('every room has its floor', () => {
  const rooms = new Set(files.filter((file) => file.split('/').length > 2).map(roomOf))

  expect([...rooms].filter((room) => !floors.includes(room))).toEqual([])
})

test('the rooms of a group lie beside each other, so that groups import only from groups below', () => {
  const groups = floors.map(groupOf)

  expect(groups.filter((group, floor) => group !== groups[floor - 1])).toEqual([...new Set(groups)])
})

test.each([
  ['a value', "import { b } from './b.js'"],
  ['a type', "import type { B } from './b.js'"],
  ['a type in its place', "export const a = (b: import('./b.js').B): void => b.go()"],
  ['an export', "export { b } from './b.js'"],
  ['everything exported', "export * from './b.js'"],
  ['what is loaded later', "export const a = () => import('./b.js')"],
  ['what is required later', "const b = part((): typeof B => require('./b.js'))"],
])('a circle by %s is found', (_, text) => {
  const texts = { 'lib/commands/run/a.ts': text, 'lib/commands/run/b.ts': "import './a.js'" }

  expect(circlesIn(graphOfTexts(texts))).toEqual([['lib/commands/run/a.ts', 'lib/commands/run/b.ts']])
})

test('a circle of many files is found once', () => {
  const texts = {
    'lib/commands/run/a.ts': "import './b.js'",
    'lib/commands/run/b.ts': "import './c.js'; import './d.js'",
    'lib/commands/run/c.ts': "import './a.js'",
    'lib/commands/run/d.ts': '',
  }

  expect(circlesIn(graphOfTexts(texts))).toEqual([
    ['lib/commands/run/a.ts', 'lib/commands/run/b.ts', 'lib/commands/run/c.ts'],
  ])
})

test('an arrow upwards is found', () => {
  const texts = {
    'lib/base/util/a.ts': "import type { B } from '../../commands/run/b.js'",
    'lib/commands/run/b.ts': '',
  }

  expect(upwardIn(graphOfTexts(texts), floorOf)).toEqual([
    { from: 'lib/base/util/a.ts', to: 'lib/commands/run/b.ts' },
  ])
})

test('an import of no file is told', () => {
  expect(() => graphOfTexts({ 'lib/commands/run/a.ts': "import './gone.js'" })).toThrow(
    'lib/commands/run/a.ts imports ./gone.js, which is no file of lib',
  )
})
