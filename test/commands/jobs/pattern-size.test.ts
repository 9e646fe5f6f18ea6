// The estimate of an automaton's size, compared with the size it turns out to have.
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { estimateSize } from '../../../lib/commands/jobs/pattern-size.js'

const sizeOf = (pattern: string): number => RE2JS.compile(pattern).programSize()

const isValid = (pattern: string): boolean => {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

describe('estimateSize', () => {
  test.each([
    '',
    'error',
    'error|warn|fail',
    '(a+)+$',
    '(?i)^\\s*error: .*$',
    '[]a]{3}',
    '[^]\\]]+',
    '[[:alpha:]_]{2,9}',
    '[[:alpha:]]{40}x',
    '\\p{Greek}{30}',
    '\\pL{30}',
    '\\x{1F600}{30}',
    '\\Q[(\\E{30}',
    '\\(a{30}\\)',
    '(?:a?){100}a{100}',
    '.{0,100}',
    '.{3,}',
    '((a{3}){3}){3}',
    '(?P<name>a|b){20}',
    '(?i:a|b){20}',
    '(?i)(?-i)ab',
    'a{,3}',
    'a{x}',
  ])('is close to the size of %j', (pattern) => {
    const size = sizeOf(pattern)

    expect(estimateSize(pattern)).toBeGreaterThanOrEqual((size - 5) / 1.5)
    expect(estimateSize(pattern)).toBeLessThanOrEqual(size * 3 + 10)
  })

  test('is large for what would be large', () => {
    expect(estimateSize('a{1000}'.repeat(100))).toBe(100_000)
    expect(estimateSize('\\Q[\\Ea{1000}'.repeat(10))).toBeGreaterThan(10_000)
    expect(estimateSize('[[:alpha:]]{1000}[^]]{1000}')).toBe(2000)
    expect(estimateSize('(((a{100}){100}){100}){100}')).toBeGreaterThan(100_000_000)
  })

  test('never promises less than half of what a pattern needs', () => {
    const atom = fc.constantFrom('a', '.', '\\d', '[a-z]', '[^]x]', '\\pL', '\\Q(x\\E', '\\(')
    const count = fc.constantFrom('', '', '*', '+?', '?', '{3}', '{0,5}', '{2,}')
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      pattern: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      part: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(atom, count).map(([what, times]) => what + times),
        fc.tuple(tie('pattern'), tie('pattern'), count).map(([a, b, times]) => `(${a}|${b})${times}`),
      ),
    }))
    fc.assert(
      fc.property(pattern, (text) => {
        // RE2 itself refuses repetitions of more than 1000.
        fc.pre(isValid(text))
        expect(sizeOf(text)).toBeLessThanOrEqual(2 * estimateSize(text) + 5)
      }),
      { numRuns: 300 },
    )
  })

  test.each(['(', ')', '))((', '[', '[^', '\\', '\\p{', '\\Qabc', '{', 'a{3', '\ud800'])(
    'survives %j',
    (pattern) => {
      expect(estimateSize(pattern)).toBeGreaterThanOrEqual(0)
    },
  )
})
