import { type Answer, type KnownWord, matchRule } from '../../../lib/verdicts/policy/match-rule.js'
import type { LoadedRule } from '../../../lib/verdicts/policy/policy.js'

const rule = (prefix: readonly string[][], exact = false): LoadedRule => ({
  prefix,
  exact,
  decision: 'ask',
  why: undefined,
  name: 'rule',
})
const text = (head: string): KnownWord => ({ head, isWhole: true, several: false })
const beginning = (head: string): KnownWord => ({ head, isWhole: false, several: false })
const anything = { head: '', isWhole: false, several: false }
const anyNumber = { head: '', isWhole: false, several: true }

const npmTest = rule([['npm'], ['test', 't']])

test.each<[string, readonly KnownWord[], Answer]>([
  ['the words', [text('npm'), text('test')], 'yes'],
  ['one of several for a word', [text('npm'), text('t')], 'yes'],
  ['more words', [text('npm'), text('test'), anyNumber], 'yes'],
  ['fewer words', [text('npm')], 'no'],
  ['another word', [text('npm'), text('tests')], 'no'],
  ['a word that is not known', [text('npm'), anything], 'perhaps'],
  ['a word that begins so', [text('npm'), beginning('te')], 'perhaps'],
  ['a word that begins otherwise', [text('npm'), beginning('in')], 'no'],
  ['any number of words', [text('npm'), anyNumber], 'perhaps'],
  ['any number of words before another one', [text('npm'), anyNumber, text('install')], 'perhaps'],
  ['another program before them', [text('yarn'), anyNumber], 'no'],
])('%s', (_, words, answer) => {
  expect(matchRule(npmTest, words)).toBe(answer)
})

test.each<[string, readonly KnownWord[], Answer]>([
  ['the words', [text('make')], 'yes'],
  ['more words', [text('make'), text('clean')], 'no'],
  ['one more that is not known', [text('make'), anything], 'no'],
  ['any number of words', [text('make'), anyNumber], 'perhaps'],
])('exactly: %s', (_, words, answer) => {
  expect(matchRule(rule([['make']], true), words)).toBe(answer)
})
