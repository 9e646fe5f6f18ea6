// Keys by their names, as tmux spells them.
import { bytesOfKeys } from '../../../lib/terminals/terminal/keys.js'

const typed = (...keys: string[]): string => bytesOfKeys('keys', keys).toString()

test.each([
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['BTab', '\x1b[Z'],
  ['Escape', '\x1b'],
  ['Space', ' '],
  ['BSpace', '\x7f'],
  ['Up', '\x1b[A'],
  ['Left', '\x1b[D'],
  ['Home', '\x1b[H'],
  ['PPage', '\x1b[5~'],
  ['PgDn', '\x1b[6~'],
  ['F1', '\x1bOP'],
  ['F12', '\x1b[24~'],
  ['DC', '\x1b[3~'],
  ['C-c', '\x03'],
  ['C-C', '\x03'],
  ['C-\\', '\x1c'],
  ['C-Space', '\0'],
  ['C-[', '\x1b'],
  ['C-?', '\x7f'],
  ['M-x', '\x1bx'],
  ['C-M-a', '\x1b\x01'],
  ['S-Up', '\x1b[1;2A'],
  ['C-Right', '\x1b[1;5C'],
  ['M-F1', '\x1b[1;3P'],
  ['C-S-Home', '\x1b[1;6H'],
  ['S-DC', '\x1b[3;2~'],
  ['S-Tab', '\x1b[Z'],
  ['a', 'a'],
  ['ß', 'ß'],
  ['-', '-'],
  ['👍', '👍'],
])('%s', (key, bytes) => {
  expect(typed(key)).toBe(bytes)
})

test('case does not count in names', () => {
  expect(typed('ENTER', 'enter', 'pPaGe', 'c-c')).toBe('\r\r\x1b[5~\x03')
})

test('keys are pressed in their order', () => {
  expect(typed('Escape', ':', 'q', 'Enter')).toBe('\x1b:q\r')
})

test.each(['', 'Entr', 'C-', 'C-ß', 'C-1', 'X-a', 'S-a', 'ab', '\x1b', '\n', '\ud800', 'F13', 'M-Nope'])(
  '%j is none',
  (key) => {
    expect(() => typed('Enter', key)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringMatching(/^keys\[1\]: /) }),
    )
  },
)

test('what is meant by a mistyped name is said', () => {
  expect(() => typed('Entr')).toThrow(/did you mean Enter\?/)
})

test.each([[[]], ['Enter'], [Array(257).fill('a')], [[7]], [null]])('%p is refused', (keys) => {
  expect(() => bytesOfKeys('keys', keys as string[])).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_INPUT' }),
  )
})
