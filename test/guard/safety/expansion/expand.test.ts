// Compared with bash, which is given words and prints its arguments. Pathname expansion is off there.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { newBudget } from '../../../../lib/guard/safety/budget.js'
import { expandWord } from '../../../../lib/guard/safety/expansion/expand.js'
import { unknownText } from '../../../../lib/guard/safety/rule.js'
import { Scope } from '../../../../lib/guard/safety/scope.js'
import { readScript } from '../../../../lib/guard/safety/script/read-script.js'
import type { Command } from '../../../../lib/guard/safety/script/script.js'
import { runSync } from '../../../../lib/guard/safety/script/steps.js'
import { askBash } from './bash.js'

const arrays = { L: ['x', 'a b'], N: [] }

const expand = (text: string): string[] => {
  const scope = Scope.root('/', '/home/dev')
  for (const [name, value] of Object.entries({ X: 'x', S: 'a b', E: '' })) scope.assign(name, [value])
  for (const [name, elements] of Object.entries(arrays)) {
    scope.assignArray(
      name,
      elements.map((text) => ({ text, pattern: null })),
    )
  }
  const command = runSync(readScript(`: ${text}`)).items.at(-1) as Command
  const [, ...words] = command.words
  const surroundings = {
    scope,
    budget: newBudget(1000),
    originOf: () => ({ start: 0, end: 0, source: '' }),
    outputOf: () => undefined,
    leavesUnset: () => false,
    unsetInText: undefined,
  }
  return words.flatMap((word) => expandWord(word, surroundings)[0] ?? []).map((field) => field.text)
}

/** What bash makes of each text, in one go. */
const expandInBash = (texts: readonly string[]): string[][] => {
  const lines = texts.map((text) => `printf '%s\\0' ${text} end`)
  const output = askBash(["L=(x 'a b') N=()", ...lines].join('\n')).split('\0')
  const results: string[][] = [[]]
  for (const word of output.slice(0, -1)) {
    if (word === 'end') results.push([])
    else results.at(-1)?.push(word)
  }
  return results.slice(0, -1)
}

/** Pieces that nothing happens to but expansion. */
const pieces = [
  'a',
  'b1',
  '/',
  '~',
  '.',
  '..',
  '1',
  '{',
  '}',
  ',',
  '{a,b}',
  '{1..3}',
  '{03..1}',
  '{a..c}',
  '"a b"',
]
const quoted = ["'{a,b}'", '"~"', "''", '""', '\\{', '\\,', '\\~', '"$X"', '"$S"', '"$E"', '"${X}y"']
const variables = [
  '$X',
  '$S',
  '$E',
  '${X}',
  '${X:-y}',
  '${E:-y}',
  '${E-y}',
  '${X:+z}',
  '${E:+z}',
  '${U-"a b"}',
]
const elements = [
  '"${L[@]}"',
  '${L[@]}',
  '"${L[*]}"',
  '"${L[0]}"',
  '${L[-1]}',
  '"${L[5]}"',
  '"$L"',
  '"${N[@]}"',
  '${N[@]+"${N[@]}"}',
]

/**
 * As text, `$X{1..3}` is `$X1 $X2 $X3` to bash, and of `{a..{1..3}}` it expands nothing: nobody writes that. And a user
 * is taken to exist.
 */
const isOdd = (text: string): boolean =>
  /\$\w*\{|~[A-Za-z_]|\{[^{}]*\.\.[^{}]*\{/.test(withoutParameters(withoutParameters(text)))

const withoutParameters = (text: string): string => text.replaceAll(/\$\{[^{}]*\}/g, '')

const text = fc
  .array(fc.constantFrom(...pieces, ...quoted, ...variables, ...elements), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((text) => !isOdd(text))

test('words expand to the arguments that bash gives', () => {
  // All at once, as bash takes longer to start than to expand.
  const texts = fc.sample(text, { numRuns: 2000, seed: 2026 })
  const expected = expandInBash(texts)
  const different = texts.flatMap((each, index) => {
    const actual = expand(each)
    const isKnown = !actual.some((word) => word.includes(unknownText))
    return !isKnown || isDeepStrictEqual(actual, expected[index])
      ? []
      : [{ text: each, actual, expected: expected[index] }]
  })

  expect(different.slice(0, 10)).toEqual([])
})
