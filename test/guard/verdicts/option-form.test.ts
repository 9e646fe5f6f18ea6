import { fits, type OptionForm } from '../../../lib/guard/verdicts/option-form.js'
import { argumentsOf } from './arguments.js'

const form: OptionForm = {
  flags: 'abc',
  values: 'nk',
  optional: 'M',
  long: ['all', 'color'],
  longValues: ['max-count'],
  nums: true,
}

/** The options as `name` or `name=value`, then the operands. */
function read(line: string, more: OptionForm = {}): string[] {
  const fitting = fits({ ...form, ...more }, argumentsOf(line))
  if (typeof fitting === 'string') throw new Error(fitting)
  const shown = (argument?: { kind: string; text?: string; head?: string }) =>
    argument === undefined ? '' : `=${argument.text ?? argument.head ?? '?'}`
  return [
    ...fitting.options.map(({ name, value }) => name + shown(value)),
    '|',
    ...fitting.operands.map((operand) => shown(operand).slice(1)),
  ]
}

const why = (line: string, more: OptionForm = {}) => fits({ ...form, ...more }, argumentsOf(line))

test.each([
  ['', '|'],
  ['-ab x', 'a b | x'],
  ['x -a y', 'a | x y'],
  ['-n5', 'n=5 |'],
  ['-n 5 x', 'n=5 | x'],
  ['-an5', 'a n=5 |'],
  ['-n $x', 'n=? |'],
  ['-n5$x', 'n=5 |'],
  ['-M x', 'M | x'],
  ['-M50% x', 'M=50% | x'],
  ['-M$x x', 'M=? | x'],
  ['--all', 'all |'],
  ['--color=auto', 'color=auto |'],
  ['--color=$x', 'color=? |'],
  ['--color=*', 'color=? |'],
  ['--max-count=5', 'max-count=5 |'],
  ['--max-count 5', 'max-count=5 |'],
  ['-20 x', '20 | x'],
  ['- x', '| - x'],
  ['-a -- -z', 'a | -z'],
  ['-- $x', '| ?'],
  ['-- @x', '| ?'],
  ['src/$x src/*', '| src/ src/'],
])('%s fits', (line, expected) => {
  expect(read(line).join(' ').trim()).toBe(expected)
})

test.each([
  ['-z', 'option `-z` is not known to only read'],
  ['-az', 'option `-z` is not known to only read'],
  ['-5a', 'option `-5` is not known to only read'],
  ['--al', 'option `--al` is not known to only read'],
  ['--max', 'option `--max` is not known to only read'],
  ['--output=x', 'option `--output` is not known to only read'],
  ['-n', 'option `-n` has no value'],
  ['-n -a', 'the value of `-n` may be an option'],
  ['-n -$x', 'the value of `-n` may be an option'],
  ['-n @x', 'the value of `-n` may be several words'],
  ['-n src/*', 'the value of `-n` may be several words'],
  ['--max-count --all', 'the value of `--max-count` may be an option'],
  ['--max-count *', 'the value of `--max-count` may be several words'],
  ['$x', 'a word that is not known may be an option'],
  ['@x', 'a word that is not known may be an option'],
  ['*', 'a word that is not known may be an option'],
  ['-$x', '`-…` may be any option'],
  ['-a$x', '`-a…` may be any option'],
  ['-n$x', '`-n…` may be any option'],
  ['--$x', '`--…` may be any option'],
  ['--all$x', '`--all…` may be any option'],
])('%s does not fit', (line, expected) => {
  expect(why(line)).toBe(expected)
})

test('as many operands as reading takes fit', () => {
  expect(read('-a x y', { max: 2 })).toEqual(['a', '|', 'x', 'y'])
})

test.each([
  ['x y', 'operand `y` is one more than reading takes'],
  ['-- x y', 'operand `y` is one more than reading takes'],
  ['src/*', '`src/…` may be more operands than reading takes'],
  ['-- @x', 'a word that is not known may be more operands than reading takes'],
  ['x -a', '`-a` behind an operand may be one more operand'],
  ['x --', '`--` behind an operand may be one more operand'],
])('%s does not fit where one operand is allowed', (line, expected) => {
  expect(why(line, { max: 1 })).toBe(expected)
})

test('a form for no operands takes none', () => {
  expect(why('x', { max: 0 })).toBe('operand `x` is one more than reading takes')
})

test('what follows the first operand is left alone where that ends the options', () => {
  expect(read('-a ls -z @x', { stops: true })).toEqual(['a', '|', 'ls', '-z', '?'])
})

test('an unknown word may be an option where the first operand ends the options', () => {
  expect(why('$x ls', { stops: true })).toBe('a word that is not known may be an option')
})

test('a form without anything fits operands only', () => {
  expect(fits({}, argumentsOf('-a'))).toBe('option `-a` is not known to only read')
})

test('long pieces are cut and control characters are visible', () => {
  expect(fits({}, [{ kind: 'text', text: `--\u001b[2J\`${'x'.repeat(50)}` }])).toBe(
    `option \`--\\x1b[2J\\x60${'x'.repeat(33)}…\` is not known to only read`,
  )
})
