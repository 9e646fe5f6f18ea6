// Any text in one line.
import { oneLine } from '../../lib/output/simplify-command.js'

test.each([
  ['line breaks', 'a\r\nb\u2028c\x85d', 'a b c d'],
  ['escape sequences', 'a\x1b[2Jb\x9b1mc', 'a [2Jb 1mc'],
  ['a change of the direction of writing', 'a\u202eb', 'a b'],
  ['blanks at the ends', ' \ta\n', 'a'],
  ['nothing else', 'é😀 "x"', 'é😀 "x"'],
])('replaces %s', (_, text, expected) => {
  expect(oneLine(text)).toBe(expected)
})
