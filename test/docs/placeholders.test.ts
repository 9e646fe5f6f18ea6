// A page's output matches what was printed only if both say the same.
import { Placeholders } from './placeholders.js'

const settles = (expected: string, printed: string, placeholders = new Placeholders()): boolean =>
  placeholders.settle(printed, expected) === expected

test.each([
  ['an id of a job', 'job bash_k3v9x2 runs', 'job bash_0a1b2c runs'],
  ['a process id', 'to stop: kill -9 -4711', 'to stop: kill -9 -31'],
  ['anything within a line', '{"message":"…"}', '{"message":"not so"}'],
  ['an age in a table', 'bash_k3v9x2  running  0s   4711', 'bash_0a1b2c  running  12s  31'],
])('%s', (_, expected, printed) => {
  expect(settles(expected, printed)).toBe(true)
})

test.each([
  ['other text', 'job bash_k3v9x2 runs', 'job bash_0a1b2c ran'],
  ['another number', 'exit code 7', 'exit code 8'],
  ['a timeout, which is no age', 'timed out after 1s', 'timed out after 2s'],
  ['more lines', 'a\n…', 'a\nb\nc'],
  ['fewer lines', 'a\nb', 'a'],
  ['two processes where the page has one', '4711 4711', '31 32'],
])('not %s', (_, expected, printed) => {
  expect(settles(expected, printed)).toBe(false)
})

test('an id is the same job on the whole page, and can be typed', () => {
  const placeholders = new Placeholders()
  settles('bash_k3v9x2', 'bash_0a1b2c', placeholders)

  expect(placeholders.fill('bashward jobs kill bash_k3v9x2')).toBe('bashward jobs kill bash_0a1b2c')
  expect(settles('bash_k3v9x2 killed', 'bash_ffffff killed', placeholders)).toBe(false)
})
