// What is read without a parser: it is what the other readers read, and nothing else.
import * as fc from 'fast-check'
import { readPlain } from '../../../../../lib/guard/safety/script/plain/read-plain.js'
import type { Script, Word } from '../../../../../lib/guard/safety/script/script.js'
import { notation } from '../notation.js'
import { finish, readOnlyTree, readOnlyUnbash } from '../read.js'
import { readings } from '../readings.js'
import { scripts } from '../scripts.js'

const read = (text: string): Script | null => finish(readPlain(text), () => null)

describe.each(Object.entries(readings))('readPlain: %s', (_, cases) => {
  test.each(cases)('%j is read as always, or not at all', (text, ...expected) => {
    const script = read(text)
    if (script !== null) expect(notation(script)).toEqual(expected)
  })
})

describe('readPlain: what most commands are', () => {
  test.each([
    ['cd /a && npm test 2>&1 | tail -n 5', ['cd /a', 'npm test 2>&1', 'tail -n 5 <- 1']],
    ['git commit -m "It\'s $N"', ["git commit -m 'It's '\"$N\""]],
    ['A=1 B="$C" make -j${N} # all\n\n./a >>b &', ['[A=1] [B="$C"] make -j$N', './a >>b']],
    ['a \\\n  --b \\\n  c', ['a --b c']],
    ['find . -name \\*.o -exec rm {} +', ["find . -name '*'.o -exec rm {} +"]],
  ])('%j', (text, expected) => expect(notation(read(text) as Script)).toEqual(expected))

  test('offsets are those of the text', () => {
    const text = ' é=1 "😀" 2>c;b'
    const { items } = read(text) as Script
    expect(items.map(({ start, end }) => text.slice(start, end))).toEqual(['é=1 "😀" 2>c', 'b'])
  })
})

test.each([
  'a $(b)',
  'a `b`',
  'a ${b:-c}',
  'a $((1))',
  "a $'b'",
  'a <(b)',
  'a <<E\nE',
  '(a)',
  'a() { b; }',
  'if a; then b; fi',
  '{ a; }',
  '! a',
  'time a',
  '[[ a ]]',
  'a[1]=b',
  'a=(b)',
  'a {b}>c',
  'a {b[0]}>c',
  '{b["0"]}>c a',
  'a\\\nb',
  'a &\\\n& b',
  'a &\\\n> b',
  'a $b\\\nc',
  'a \\\n#b',
  'a >2>b',
  'a >{b}>c',
  'a <&-b',
  'a > #b\nc',
  'a "b',
  "a 'b",
  'a \\',
  'a >',
  'a ;; b',
  '; a',
  'a & & b',
  '| a',
  'a; }',
])('%j is left to the other readers', (text) => expect(read(text)).toBeNull())

test.each([
  ['a\nb &&', ['a', 'unread 6']],
  ['a; b |', ['unread 6']],
  ['a\nb ||\n # c\n', ['a', 'b', 'unread 12']],
])('%j ends too early', (text, expected) => expect(notation(read(text) as Script)).toEqual(expected))

/** Parts of words need not be properties of their own. */
const written = (script: Script): string =>
  JSON.stringify(script, (_, value) => {
    if (typeof value !== 'object' || value === null || !('parts' in value)) return value
    const { start, end, parts } = value as Word
    return { start, end, parts }
  })

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    '-x',
    '/c',
    '2',
    'x=1',
    'y+=',
    'export',
    'if',
    '}',
    '{',
    '!',
    'é',
    '*',
    '~',
    '[',
    '{fd}',
    '\\d',
    '\\',
  ],
  ...["'e f'", '"g"', '"h $i"', '$j', '${k}', '$', '"', "'", '`', '#l', '(', ')', ''],
  ...[' ', ' ', ' ', ' ', '\t', '\n', ' \\\n', '\\\n', '; ', '&', '&&', ' | ', '||', '|&', ';;'],
  ...['>', '>>', '2>&1', '<', '&>', '<<<', '<<', '>|', '<&-'],
)
const mixed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test.each([
  ['pieces in any order', mixed, 4000],
  ['scripts', scripts.filter((text) => text.length < 200), 400],
] as const)('%s at random are read as by unbash and from the tree', (_, texts, numRuns) => {
  fc.assert(
    fc.property(texts, (text) => {
      const plain = read(text)
      if (plain === null || plain.unread !== null) return
      for (const other of [readOnlyUnbash(text), readOnlyTree(text)]) {
        if (other.unread === null) expect(written(plain)).toBe(written(other))
      }
    }),
    { numRuns, seed: 2026 },
  )
})

test('pauses in 240 KB of words', () => {
  const steps = readPlain('a "b c" $d >e\n'.repeat(17_000))
  expect(steps.next()).toEqual({ done: false, value: undefined })
})
