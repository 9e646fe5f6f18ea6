import { runSync } from '../../../lib/guard/safety/script/steps.js'
import { readWithUnbash } from '../../../lib/guard/safety/script/unbash/read-with-unbash.js'
import { toArgument } from '../../../lib/guard/verdicts/words.js'

const argumentOf = (word: string) => {
  const item = runSync(readWithUnbash(`echo ${word}`)).items.at(-1)
  if (item?.kind !== 'command' || item.words[1] === undefined) throw new Error(`not a word: ${word}`)
  return toArgument(item.words[1])
}

test.each([
  ['plain', 'plain'],
  ["'a b'\\ c", 'a b c'],
  ["$'a\\tb'", 'a\tb'],
  ['[', '['],
  ['{}', '{}'],
  ['-I{}', '-I{}'],
  ['src/{}.ts', 'src/{}.ts'],
  ['a\'{\'{}"}"', 'a{{}}'],
  ['"*"', '*'],
  ['a~', 'a~'],
])('%s is certain', (word, text) => {
  expect(argumentOf(word)).toEqual({ kind: 'text', text })
})

test.each([
  ['"src/$x"', 'src/', false],
  ['src/*.ts', 'src/', true],
  ['src/{a,b}', 'src/', true],
  ['a{},b}', 'a', true],
  ['a{}{}', 'a', true],
  ['a{}{b,c}', 'a', true],
  ['a{,}{}', 'a', true],
  ['a{}*', 'a', true],
  ['a{""}', 'a', true],
  ['a=~/{}', 'a=', true],
  ['"a$x"*', 'a', true],
  ['<(ls)', '/dev/fd/', false],
  ['~/x', '/', false],
  ['~/*', '/', true],
  ['a=~/x', 'a=', false],
])('%s begins with %s', (word, head, several) => {
  expect(argumentOf(word)).toEqual({ kind: 'prefix', head, several })
})

test.each([
  ['"$x"', false],
  ['$x', true],
  ['src/$x', true],
  ['"a$@"', true],
  ['"${list[@]}"', true],
  ['$(ls)', true],
  ['*', true],
  ['{a,b}', true],
  ['a{}$x', true],
  ['{},b}', true],
])('%s may be anything', (word, several) => {
  expect(argumentOf(word)).toEqual({ kind: 'unknown', several })
})
