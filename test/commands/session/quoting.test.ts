// Words as bash prints and reads them.

import { quote } from '../../../lib/base/util/bash-quotes.js'
import { endOfQuoted, readSingleQuoted, unquote } from '../../../lib/commands/session/printed.js'
import { RecordFault } from '../../../lib/commands/session/reading.js'
import { quoteBytes } from '../../../lib/commands/session/restore.js'

test.each([
  ['', `''`],
  ['a b', `'a b'`],
  [`it's`, `'it'\\''s'`],
  [`''`, `''\\'''\\'''`],
])('quotes %j', (bytes, word) => {
  expect(quote(bytes)).toBe(word)
})

test.each([
  ['"a b"', 'a b'],
  ['""', ''],
  ['"\\$ \\" \\` \\\\"', '$ " ` \\'],
  ['"\x01\x01 \x01\x7f"', '\x01 \x7f'],
  [`$'\\a\\b\\t\\n\\v\\f\\r\\E\\'\\\\'`, "\x07\b\t\n\v\f\r\x1b'\\"],
  [`$'\\001\\0012\\377'`, '\x01\x012\xff'],
  [`$''`, ''],
  ['plain', 'plain'],
])('reads %j', (word, bytes) => {
  expect(unquote(word)).toBe(bytes)
})

test.each(['"$(x)"', '"`x`"', '"a\\b"', `$'\\u0041'`, `$'\\q'`, `$'\\08'`, `$'\\1'`])(
  'refuses %j',
  (word) => {
    expect(() => unquote(word)).toThrow(RecordFault)
  },
)

test.each([
  ['"a" b', 3],
  ['"a\\"b" c', 6],
  ['"a\\\\" b"', 5],
  [`'a' b`, 3],
])('finds the end of %j', (text, end) => {
  expect(endOfQuoted(text, 0)).toBe(end)
})

test('refuses a string without an end', () => {
  expect(() => endOfQuoted('"abc\\"', 0)).toThrow(RecordFault)
})

test('reads a long string of backslashes', () => {
  const text = `"${'\\\\'.repeat(500_000)}"`
  expect(endOfQuoted(text, 0)).toBe(text.length)
  expect(unquote(text)).toHaveLength(500_000)
})

test.each(["it's", "''", "a'b'"])('quotes and reads %j, also when it is long', (text) => {
  const long = text.repeat(40_000)
  expect(quoteBytes(long)).toBe(quote(long))
  expect(readSingleQuoted(`${quote(long)}\n`, 0)).toEqual({ value: long, end: quote(long).length })
})

test.each(["'", "'a", "'a'\\''", 'a'])('refuses %j as the word of an alias', (word) => {
  expect(() => readSingleQuoted(word, 0)).toThrow(RecordFault)
})
