// Patterns over variable names.

import { compileNamePatterns } from '../../../lib/processes/environment/filter.js'

test.each([
  ['FOO', 'FOO', true],
  ['FOO', 'FOOD', false],
  ['FOO', 'AFOO', false],
  ['FOO', 'foo', false],
  ['FOO_*', 'FOO_', true],
  ['FOO_*', 'FOO_BAR', true],
  ['FOO_*', 'XFOO_BAR', false],
  ['*_KEY', 'A_KEY', true],
  ['*', '', true],
  ['*', 'line\nbreak', true],
  ['A*B*C', 'AxxBxxC', true],
  ['A*B*C', 'AxxCxxB', false],
  ['A.C', 'ABC', false],
  ['npm_config_//r:_x[1]', 'npm_config_//r:_x[1]', true],
])('%j on %j: %j', (pattern, name, matches) => {
  expect(compileNamePatterns([pattern])?.test(name)).toBe(matches)
})

test('a list matches what any of its patterns matches', () => {
  const pattern = compileNamePatterns(['A', 'B_*'])
  expect(['A', 'B_1', 'AB_1', 'B'].map((name) => pattern?.test(name))).toEqual([true, true, false, false])
})

test.each([[undefined], [[]]])('%j compiles to nothing', (patterns) => {
  expect(compileNamePatterns(patterns)).toBeUndefined()
})

test('many different lists keep giving the right answer', () => {
  for (let i = 0; i < 300; i++) expect(compileNamePatterns([`NAME_${i}`])?.test(`NAME_${i}`)).toBe(true)
  expect(compileNamePatterns(['NAME_0'])?.test('NAME_1')).toBe(false)
})
