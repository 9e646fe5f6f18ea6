import fc from 'fast-check'
import { echo, printf } from '../../../../lib/guard/safety/expansion/output.js'
import { unknownText } from '../../../../lib/guard/safety/rule.js'
import { askBash } from './bash.js'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const argument = fc
  .array(fc.constantFrom('a', ' ', '\\n', '\\t', '\\x41', '\\101', '\\0101', '%', '-', 'e', '\\\\', "'"), {
    maxLength: 5,
  })
  .map((pieces) => pieces.join(''))

const format = fc
  .array(fc.constantFrom('a', ' ', '%s', '%%', '\\n', '\\x41', '\\101', '%b', '%5s', '\\\\'), {
    maxLength: 5,
  })
  .map((pieces) => pieces.join(''))

/** What bash prints for each list of arguments of a command. */
const printInBash = (command: string, calls: readonly string[][]): string[] => {
  const lines = calls.map((words) => `${command} ${words.map(quote).join(' ')}; printf '\\0'`)
  return askBash(lines.join('\n')).split('\0').slice(0, -1)
}

test('echo prints what it prints in bash', () => {
  const flags = fc.constantFrom([], ['-n'], ['-e'], ['-E'], ['-ne'], ['-e', '-E'], ['-x'], ['-'])
  const calls = fc
    .sample(fc.tuple(flags, fc.array(argument, { maxLength: 3 })), 500)
    // `\0` in the output would end it here.
    .map(([options, words]) => [...options, ...words])
  expect(calls.map(echo)).toEqual(printInBash('echo', calls))
})

test('printf prints what it prints in bash', () => {
  const calls = fc
    .sample(fc.tuple(format, fc.array(argument, { maxLength: 4 })), 500)
    .map(([first, words]) => ['--', first, ...words])
    // Widths are not kept: no shell minds how many spaces there are.
    .filter(([, first]) => !first?.includes('%5s'))
  expect(calls.map(printf)).toEqual(printInBash('printf', calls))
})

test.each([
  [['%d', '7'], '7'],
  [['%q', 'a b'], "'a b'"],
  [['%x', '7'], unknownText],
  [['-v', 'NAME', 'x'], ''],
  [['%s %s\n', 'a', 'b', 'c'], 'a b\nc \n'],
  [['x', 'a', 'b'], 'x'],
  [[], ''],
])('printf %j', (words, expected) => {
  expect(printf(words)).toBe(expected)
})
