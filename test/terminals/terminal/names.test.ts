import fc from 'fast-check'
import { quoteName } from '../../../lib/terminals/terminal/names.js'

test.each<[string, string | Uint8Array, string]>([
  ['a name', 'sleep 60', '"sleep 60"'],
  ['other letters', '日本 é ж 🎉', '"日本 é ж 🎉"'],
  ['quotes, so that it cannot end', 'a" (root), "b\\', '"a\\" (root), \\"b\\\\"'],
  ['controls', 'a\x1b[2J\nb\x7f\t', '"a\\x1b[2J\\x0ab\\x7f\\x09"'],
  ['C1 controls', 'a\x9b2J', '"a\\u{9b}2J"'],
  ['the direction of writing', 'a\u202egnp.exe\u2066', '"a\\u{202e}gnp.exe\\u{2066}"'],
  [
    'what is not seen',
    '\u200b\ufeff\u{e0041}\u3164\u2028\u00a0',
    '"\\u{200b}\\u{feff}\\u{e0041}\\u{3164}\\u{2028}\\u{a0}"',
  ],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x62, 0xc0]), '"a\\xff\\xe2\\x82b\\xc0"'],
  ['bytes that are', Buffer.from('é 日 🎉 \ufffd'), '"é 日 🎉 \ufffd"'],
  ['marks that pile up', `e${'\u0301'.repeat(6)}`, `"e${'\u0301'.repeat(4)}\\u{301}\\u{301}"`],
  ['nothing', '', '""'],
])('shows %s', (_, name, shown) => {
  expect(quoteName(name)).toBe(shown)
})

test('has at most 60 characters, and is not cut within an escape', () => {
  expect(quoteName('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
  expect(quoteName('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`)
  expect(quoteName(`${'x'.repeat(56)}\x1b\x1b`)).toBe(`"${'x'.repeat(56)}…"`)
  expect(quoteName(Buffer.alloc(1e6, 'x'))).toHaveLength(62)
})

test('whatever a name is, it is one line of text that nothing in it ends', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), (name) => {
      const shown = quoteName(name)

      expect(shown.length).toBeLessThanOrEqual(62)
      expect(shown).toMatch(/^"(?:[^\p{C}\p{Z}"\\]| |\\["\\]|\\x[0-9a-f]{2}|\\u\{[0-9a-f]+\})*"$/u)
    }),
    { numRuns: 2000 },
  )
})
