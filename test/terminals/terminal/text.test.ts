// What of a text may be typed, and as which bytes.
import fc from 'fast-check'
import { bytesOfText, checkText } from '../../../lib/terminals/terminal/text.js'

const cooked = { cooked: true, bracketedPaste: true }
const raw = { cooked: false, bracketedPaste: false }
const pasting = { cooked: false, bracketedPaste: true }

test.each(['\x1b[201~', '\x03', '\x0f', '\r', '\x7f', '\x85', '\x9b', '\0'])('%j is refused', (text) => {
  expect(() => checkText('text', `before${text}after`)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining('U+00') }),
  )
})

test('text of any script, tabs and line feeds are typed', () => {
  expect(checkText('text', 'für\t日本\n👍')).toBe('für\t日本\n👍')
})

test('what does not fit into one message is refused', () => {
  expect(() => checkText('text', 'x'.repeat(65_536))).toThrow(/at most 65515 bytes/)
  expect(checkText('text', 'x'.repeat(65_515))).toHaveLength(65_515)
})

test('Enter follows, if it shall', () => {
  expect(bytesOfText('ls', true, cooked).toString()).toBe('ls\r')
  expect(bytesOfText('ls', false, cooked).toString()).toBe('ls')
})

test('lines end as Enter ends them', () => {
  expect(bytesOfText('a\nb', true, raw).toString()).toBe('a\rb\r')
  expect(bytesOfText('a\nb', true, cooked).toString()).toBe('a\rb\r')
})

test('several lines are one paste where the program wants that', () => {
  expect(bytesOfText('a\nb', true, pasting).toString()).toBe('\x1b[200~a\rb\x1b[201~\r')
  expect(bytesOfText('a', true, pasting).toString()).toBe('a\r')
})

test('no text ends a paste that it is in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      let allowed: string
      try {
        allowed = checkText('text', text)
      } catch {
        return
      }
      const bytes = bytesOfText(`\n${allowed}`, true, pasting).toString('latin1')
      expect(bytes.indexOf('\x1b[201~')).toBe(bytes.length - 7)
      expect(bytes.lastIndexOf('\x1b')).toBe(bytes.length - 7)
    }),
  )
})
