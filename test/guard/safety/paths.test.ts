import { baseName, normalize, readPath } from '../../../lib/guard/safety/paths.js'
import { unknownText } from '../../../lib/guard/safety/rule.js'

test.each([
  ['/', '/'],
  ['//', '/'],
  ['/.', '/'],
  ['/..', '/'],
  ['/tmp/..', '/'],
  ['/tmp/x/../../..', '/'],
  ['/a//b/./c/', '/a/b/c'],
])('normalize(%j) is %j', (path, expected) => {
  expect(normalize(path)).toBe(expected)
})

test.each([
  ['a/../..', { absolute: false, up: 1, components: [] }],
  ['../../a', { absolute: false, up: 2, components: ['a'] }],
  ['./a/.', { absolute: false, up: 0, components: ['a'] }],
  ['/../a', { absolute: true, up: 0, components: ['a'] }],
  // It may be `x/y`, or nothing.
  [`${unknownText}/..`, { absolute: false, up: 0, components: [unknownText, '..'] }],
  [`${unknownText}/../../a`, { absolute: false, up: 0, components: [unknownText, '..', '..', 'a'] }],
])('readPath(%j)', (path, expected) => {
  expect(readPath(path)).toEqual(expected)
})

test('baseName is the last component', () => {
  expect(['rm', '/bin/rm', './git', 'a/'].map(baseName)).toEqual(['rm', 'rm', 'git', ''])
})
