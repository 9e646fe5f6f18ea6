// Beginnings of texts, from the expression for the whole of them.
import { beginningOf } from '../../../../lib/processes/output/redact/beginning-of.js'

const placeIn = (source: string, text: string) => beginningOf(source).exec(text)?.index

describe.each([
  ['abc', ['abc']],
  ['ab|cd', ['ab', 'cd']],
  ['a[bc]{2,3}d', ['abbd', 'acbcd']],
  ['a(?:b-)?c+d', ['acd', 'ab-cccd']],
  ['(?<![a-z])a(?=\\w*\\d)\\w{4,}(?!-)', ['abc1', 'a12345678']],
  ['x{3}(?:-y{2}){1,2}z*', ['xxx-yy', 'xxx-yy-yyzz']],
  ['\\d{2,4}:AA', ['12:AA', '1234:AA']],
])('of %s', (source, texts) => {
  test('each is found', () => {
    for (const text of texts) {
      const isWhole = new RegExp(`^(?:${source})`)
      const all = Array.from(text, (_, index) => text.slice(0, index + 1))
      const beginnings = all.filter((beginning) => !isWhole.test(beginning))
      expect(beginnings.length).toBeGreaterThan(0)
      expect(beginnings.map((beginning) => placeIn(source, `.. ${beginning}`))).toEqual(
        beginnings.map(() => 3),
      )
    }
  })

  test('what goes on otherwise is none', () => {
    for (const text of texts) {
      for (let end = 1; end < text.length; end++) {
        expect(placeIn(source, `${text.slice(0, end)}~`)).toBe(end + 1)
      }
    }
  })
})

test('any other part of an expression is refused', () => {
  for (const source of ['(a)', 'a$', '(?<name>a)', 'a{,2}', '(?:a']) {
    expect(() => beginningOf(source)).toThrow(SyntaxError)
  }
})
