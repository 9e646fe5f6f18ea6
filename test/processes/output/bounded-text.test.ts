// The first and the last half of any text.
import fc from 'fast-check'
import { BoundedText } from '../../../lib/processes/output/bounded-text.js'

const bound = (maxChars: number, ...parts: (string | number)[]) => {
  const text = new BoundedText(maxChars)
  for (const part of parts) {
    if (typeof part === 'string') text.add(part)
    else text.skip(part)
  }
  return text.result()
}

describe('BoundedText', () => {
  test('is empty at first', () => {
    expect(bound(10)).toEqual({ text: '', truncated: false })
  })

  test('gives a text of exactly its length whole', () => {
    expect(bound(10, '01234', '56789')).toEqual({ text: '0123456789', truncated: false })
  })

  test('gives the halves of a longer one, and says so between them', () => {
    expect(bound(10, '0123456789', 'a')).toEqual({
      text: '01234\n\n[output truncated: first 5 and last 5 of 11 characters]\n\n6789a',
      truncated: true,
      cut: { first: 5, last: 5 },
    })
  })

  test('gives the larger half first when the number is odd', () => {
    expect(bound(3, 'abcd').text).toMatch(/^ab\n.*\nd$/s)
  })

  test('counts what was skipped, and does not fill the first half after it', () => {
    expect(bound(10, 'ab', 1000, 'yz')).toEqual({
      text: 'ab\n\n[output truncated: first 2 and last 2 of 1004 characters]\n\nyz',
      truncated: true,
      cut: { first: 2, last: 2 },
    })
  })

  test('shows nothing from before what was skipped as if it stood right before what comes after', () => {
    expect(bound(10, 'abcdefgh', 1000, 'yz')).toEqual({
      text: 'abcde\n\n[output truncated: first 5 and last 2 of 1010 characters]\n\nyz',
      truncated: true,
      cut: { first: 5, last: 2 },
    })
  })

  test('moves a cut to the end of a line that is near, where it is to give whole lines', () => {
    const text = new BoundedText(80, { wholeLines: true })
    text.add(`${'a'.repeat(36)}\n${'b'.repeat(60)}\n${'c'.repeat(37)}`)

    expect(text.result()).toEqual({
      text: `${'a'.repeat(36)}\n\n\n[output truncated: first 37 and last 37 of 135 characters]\n\n${'c'.repeat(37)}`,
      truncated: true,
      cut: { first: 37, last: 37 },
    })
  })

  test('cuts no surrogate pair', () => {
    expect(bound(6, '😀😀😀😀').text).toBe(
      '😀\n\n[output truncated: first 2 and last 2 of 8 characters]\n\n😀',
    )
  })

  test('does not depend on how the text is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 9000 }), { maxLength: 12 }),
        fc.integer({ min: 2, max: 200 }),
        (parts, max) => {
          expect(bound(max, ...parts)).toEqual(bound(max, parts.join('')))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('gives the beginning and the end of any text, and their numbers', () => {
    const characters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀'), maxLength: 30 })
    const parts = fc.array(fc.oneof(characters, fc.integer({ min: 1, max: 50 })), { maxLength: 6 })
    fc.assert(
      fc.property(parts, fc.integer({ min: 2, max: 40 }), (parts, max) => {
        // What was skipped is a character that is in no text.
        const whole = parts.map((part) => (typeof part === 'string' ? part : '?'.repeat(part))).join('')
        const { text, truncated } = bound(max, ...parts)
        expect(truncated).toBe(whole.length > max || whole.includes('?'))
        if (!truncated) {
          expect(text).toBe(whole)
          return
        }
        const [notice = '', ...numbers] =
          /\n\n\[output truncated: first (\d+) and last (\d+) of (\d+) characters\]\n\n/.exec(text) ?? []
        const [first = 0, last = 0, total] = numbers.map(Number)
        expect(total).toBe(whole.length)
        expect(first + last).toBeLessThanOrEqual(max)
        expect(text).toBe(whole.slice(0, first) + notice + whole.slice(whole.length - last))
        expect(text).not.toMatch(/\p{Surrogate}|\?/u)
      }),
      { numRuns: 1000 },
    )
  })

  test('remembers the end of very many pieces', () => {
    const text = new BoundedText(20)
    for (let i = 0; i < 100_000; i++) text.add(`${i}\n`)

    expect(text.result().text).toMatch(/^0\n1\n2\n3\n4\n\n\n\[.*\]\n\n998\n99999\n$/)
  })
})
