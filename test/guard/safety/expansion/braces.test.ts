import { expandBraces } from '../../../../lib/guard/safety/expansion/braces.js'
import type { WordPart } from '../../../../lib/guard/safety/script/script.js'

const literal = (text: string, quoted = false): WordPart => ({ kind: 'literal', quoted, text })

const expand = (...parts: WordPart[]): string[] =>
  expandBraces(parts).map((word) => word.map((part) => (part.kind === 'literal' ? part.text : '?')).join(''))

describe('expandBraces', () => {
  test.each([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{,a}', ['', 'a']],
    ['{1..3}', ['1', '2', '3']],
    ['{3..1}', ['3', '2', '1']],
    ['{1..7..3}', ['1', '4', '7']],
    ['{08..10}', ['08', '09', '10']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{a..c}', ['a', 'b', 'c']],
    ['{}', ['{}']],
    ['{a}', ['{a}']],
    ['{a,b', ['{a,b']],
    ['a,b}', ['a,b}']],
    ['{a..}', ['{a..}']],
    ['{a,b}{', ['a{', 'b{']],
  ])('%s', (text, words) => {
    expect(expand(literal(text))).toEqual(words)
  })

  test('quoted braces and commas stay', () => {
    expect(expand(literal('{a'), literal(',', true), literal('b,c}'))).toEqual(['a,b', 'c'])
    expect(expand(literal('{a,b}', true))).toEqual(['{a,b}'])
  })

  test('parts other than literals are kept whole', () => {
    expect(expand(literal('{a,'), { kind: 'unknown', quoted: false }, literal('}'))).toEqual(['a', '?'])
  })

  test.each([
    ['many groups', '{a,b}'.repeat(20_000)],
    ['deep nesting', `${'{a,'.repeat(20_000)}${'}'.repeat(20_000)}`],
    ['a long range', '{1..999999999999}'],
    ['open braces', '{'.repeat(100_000)],
  ])('of %s a bounded number of words is made', (_, text) => {
    const words = expand(literal(text))

    expect(words.length).toBeGreaterThan(0)
    expect(words.length).toBeLessThanOrEqual(1000)
  })
})
