import {
  type Answer,
  type KnownWord,
  matchBehindOptions,
  matchRule,
} from '../../../../lib/guard/verdicts/policy/match-rule.js'
import type { LoadedRule } from '../../../../lib/guard/verdicts/policy/policy.js'

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

const gitPush = rule([['git'], ['push']])
const words = (line: string) => line.split(' ').map(text)

test.each<[string, readonly KnownWord[], Answer]>([
  ['options of git', words('git -c a=b -C x --no-pager --git-dir=y push'), 'yes'],
  ['the value of an option of git', words('git -C push status'), 'no'],
  ['an option of git that is not known', words('git --new push'), 'perhaps'],
  ['a word before it that may be an option', [text('git'), anything, text('push')], 'perhaps'],
  ['an option that is known in part', [text('git'), beginning('-C'), text('push')], 'perhaps'],
  ['another sub-command', words('git -C x log push'), 'no'],
])('behind options: %s', (_, line, answer) => {
  expect(matchBehindOptions(gitPush, line)).toBe(answer)
})

test.each<[string, Answer]>([
  ['npm --prefix x test', 'perhaps'],
  ['npm --silent --prefix x t', 'perhaps'],
  ['npm --prefix x run test', 'no'],
  ['npm run test', 'no'],
])('behind options of other programs: %s', (line, answer) => {
  expect(matchBehindOptions(npmTest, words(line))).toBe(answer)
})
