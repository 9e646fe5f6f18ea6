import fc from 'fast-check'
import {
  escapePattern,
  isPattern,
  matches,
  matchesEverything,
  matchesEverythingHidden,
  unescapePattern,
} from '../../../lib/guard/safety/glob.js'
import { askBash } from './expansion/bash.js'

describe('matches', () => {
  test('says what [[ NAME == PATTERN ]] says in bash', () => {
    const pieces = [
      'a',
      'b',
      'ab',
      '*',
      '?',
      '[ab]',
      '[!a]',
      '[^b]',
      '[a-c]',
      '[[:alpha:]]',
      '\\*',
      '\\a',
      '[]a]',
    ]
    const extended = ['@(a|b)', '!(a)', '+(ab)', '*(a|c)', '?(b)']
    const pattern = fc
      .array(fc.constantFrom(...pieces, ...extended), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''))
      // With `!(…)` behind a star bash 5.2 errs: it says that `a*!(a)a` matches `a`, and that `*?(b)!(a)` does not.
      .filter((glob) => !/\*.*!\(/.test(glob))
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '*'), minLength: 1, maxLength: 5 })
    const pairs = fc.sample(fc.tuple(pattern, name), 2000)
    const script = pairs.map(([glob, text]) => `[[ '${text}' == ${glob} ]] && echo true || echo false`)
    const expected = askBash(`shopt -s extglob\n${script.join('\n')}`)
      .trim()
      .split('\n')
    const different = pairs.filter(([glob, text], index) => `${matches(glob, text)}` !== expected[index])

    expect(different.slice(0, 10)).toEqual([])
  })

  test.each([
    ['.g*', true],
    ['.*', true],
    ['.[!.]*', true],
    ['?git', true],
    ['*git', false],
    ['*', false],
    ['g*', false],
  ])('%s for .git: %p', (pattern, expected) => {
    expect(matches(pattern, '.git')).toBe(expected)
  })

  test.each([
    ['stars', `${'*'.repeat(100_000)}x`],
    ['stars and letters', '*a'.repeat(100_000)],
    ['brackets', '['.repeat(100_000)],
    ['nested groups', `${'+('.repeat(50_000)}a${')'.repeat(50_000)}`],
    ['backslashes', '\\'.repeat(100_001)],
  ])('a long pattern of %s matches nothing, and does not hang', (_, pattern) => {
    expect(matches(pattern, 'README.md')).toBe(false)
  })
})

describe('what leaves nothing out', () => {
  test.each(['*', '**', '?*', '*?', '[!.]*', '[^.]*', '??*', '!(keep)'])(
    '%s matches everything',
    (pattern) => {
      expect(matchesEverything(pattern)).toBe(true)
    },
  )

  test.each(['*.o', 'a*', '.*', '[a-c]*', '?', 'build', '*~'])('%s does not', (pattern) => {
    expect(matchesEverything(pattern)).toBe(false)
  })

  test.each(['.*', '.?*', '.[!.]*', '.[^.]*', '.??*'])('%s matches everything hidden', (pattern) => {
    expect(matchesEverythingHidden(pattern)).toBe(true)
  })

  test.each(['.g*', '.git*', '*', '..?*', '.n*'])('%s does not', (pattern) => {
    expect(matchesEverythingHidden(pattern)).toBe(false)
  })
})

describe('escapePattern', () => {
  test('makes a pattern of any text that is none, and matches only it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const pattern = escapePattern(text)

        expect(isPattern(pattern)).toBe(false)
        expect(unescapePattern(pattern)).toBe(text)
        if (!/^\.|[\n\r]/.test(text + other)) expect(matches(pattern, other)).toBe(text === other)
      }),
    )
  })
})
