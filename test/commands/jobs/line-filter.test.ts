// Filters: what they match, which are refused, and that none takes long.
import { compileFilter } from '../../../lib/commands/jobs/line-filter.js'

const refusal = (pattern: unknown): unknown => {
  try {
    compileFilter(pattern)
  } catch (error) {
    return error
  }
  throw new Error(`${String(pattern)} was accepted`)
}

describe('compileFilter', () => {
  test.each([
    ['err', 'an error', true],
    ['err', 'an Error', false],
    ['(?i)err', 'an Error', true],
    ['^err', 'an error', false],
    ['^an .*r$', 'an error', true],
    ['error$', 'an error\r', true],
    ['^$', '', true],
    ['', 'anything', true],
    ['\\d{3}', 'ab12', false],
    ['\\bfoo\\b', 'a foo b', true],
    ['warn|fail', 'failure', true],
    ['^.$', '😀', true],
    ['é', 'cafe\u0301', false],
    ['\\u00e9', 'é', true],
    ['\\u{1F600}+', '😀', true],
    ['\\\\u00e9', '\\u00e9', true],
    ['\\p{Greek}', 'αβγ', true],
    ['(?<word>\\w+)!', 'hey!', true],
    ['a\\/b', 'a/b', true],
    ['[[:digit:]]', 'x7', true],
  ])('%j on %j: %p', (pattern, line, expected) => {
    expect(compileFilter(pattern)(line)).toBe(expected)
  })

  test.each([
    ['(?=a)b', 'lookaround is not supported'],
    ['(?!a)b', 'lookaround is not supported'],
    ['(?<=a)b', 'lookaround is not supported'],
    ['(?<!a)b', 'lookaround is not supported'],
    ['(a)\\1', 'backreferences are not supported'],
    ['(?<n>a)\\k<n>', 'backreferences are not supported'],
    ['(a', 'missing closing )'],
    ['[z-a]', 'invalid character class range'],
    ['*a', 'missing argument to repetition operator'],
    ['a{1001}', 'is too large'],
    ['\\', 'trailing backslash'],
    ['x'.repeat(1001), 'must have at most 1000 characters, not 1001'],
    ['a{500}b{500}', 'is too large: about 1000 steps, at most 500 are allowed'],
    [7, 'must be a string'],
    [null, 'must be a string'],
    [/a/, 'must be a string'],
  ])('refuses %p', (pattern, reason) => {
    expect(refusal(pattern)).toMatchObject({
      code: 'ERR_INVALID_FILTER',
      message: expect.stringMatching(
        /^filter: .* \(got .*; allowed: RE2 syntax, which is that of JavaScript without lookaround and backreferences\)$/s,
      ),
    })
    expect(refusal(pattern)).toMatchObject({ message: expect.stringContaining(reason) })
  })

  test('names the pattern that was given', () => {
    expect(refusal('(?=a)')).toMatchObject({ message: expect.stringContaining('(got "(?=a)";') })
  })

  test('keeps the error of the library as the cause', () => {
    expect(refusal('(a')).toHaveProperty('cause.message', expect.stringContaining('missing closing'))
  })

  // With a backtracking engine each of these takes longer than the universe has existed.
  test.each([
    ['(a+)+$', 'a'.repeat(30_000)],
    ['(a|a)*b$', 'a'.repeat(30_000)],
    ['(x+x+)+y', 'x'.repeat(30_000)],
    ['^(\\w+\\s?)*$', 'word '.repeat(6_000)],
    ['(.*)*(.*)*(.*)*z', 'y'.repeat(30_000)],
    ['(?:a?){150}a{150}$', 'a'.repeat(30_000)],
    ['([ab]*a[ab]{20})+$', 'abbab'.repeat(6_000)],
  ])('%j takes moments on 30,000 characters', (pattern, text) => {
    const filter = compileFilter(pattern)
    const start = performance.now()
    filter(`${text}!`)
    // Generous: it takes milliseconds.
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test.each([
    'a{1000}'.repeat(100),
    '\\pL{1000}'.repeat(100),
    `(?:${'b'.repeat(450)}){1000}`,
    '('.repeat(1000),
  ])('refuses a pattern that would take seconds to compile', (pattern) => {
    const start = performance.now()
    expect(refusal(pattern)).toMatchObject({ code: 'ERR_INVALID_FILTER' })
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test('looks at the first 65,536 characters of a line', () => {
    const filter = compileFilter('x')

    expect(filter(`${' '.repeat(65_535)}x`)).toBe(true)
    expect(filter(`${' '.repeat(65_536)}x`)).toBe(false)
  })

  test('looks at fewer with a large pattern, but at a thousand', () => {
    const filter = compileFilter(`${'a?'.repeat(240)}x`)

    expect(filter(`${' '.repeat(900)}x`)).toBe(true)
    expect(filter(`${' '.repeat(60_000)}x`)).toBe(false)
  })
})
