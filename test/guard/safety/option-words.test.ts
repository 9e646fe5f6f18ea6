import { type OptionTable, readOptions } from '../../../lib/guard/safety/option-words.js'

const argument = (text: string) => ({ text, pattern: null, source: text, start: 0, end: 0 })

/** The options as `name` or `name=value`, and the operands. */
const read = (line: string, table?: OptionTable): [string[], string[]] => {
  const { options, operands } = readOptions(line.split(' ').map(argument), table)
  return [
    options.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
    operands.map(({ text }) => text),
  ]
}

const table = { short: 'ou', long: ['output', 'user'], flags: ['force', 'force-with-lease', 'all'] }

test.each<[string, string[], string[]]>([
  ['-rf a', ['r', 'f'], ['a']],
  ['a -r b -f', ['r', 'f'], ['a', 'b']],
  ['-o x a', ['o=x'], ['a']],
  ['-ox a', ['o=x'], ['a']],
  ['-fox a', ['f', 'o=x'], ['a']],
  ['-fo x a', ['f', 'o=x'], ['a']],
  ['--output x a', ['output=x'], ['a']],
  ['--output=x a', ['output=x'], ['a']],
  ['--out x a', ['output=x'], ['a']],
  ['--all=x a', ['all=x'], ['a']],
  ['--a b', ['all'], ['b']],
  ['--force', ['force'], []],
  ['--forc', ['forc'], []],
  ['--force-w', ['force-with-lease'], []],
  ['-- -r', [], ['-r']],
  ['-r -- -f', ['r'], ['-f']],
  ['- -r', ['r'], ['-']],
  ['-o', ['o'], []],
])('%s', (line, options, operands) => {
  expect(read(line, table)).toEqual([options, operands])
})

test('what follows the first operand is left alone where that ends the options', () => {
  expect(read('-u x ls -la --all', { ...table, stopsAtOperand: true })).toEqual([
    ['u=x'],
    ['ls', '-la', '--all'],
  ])
})

test('an option knows the argument that its value stands in', () => {
  const { options } = readOptions(['-o', 'x', '-oy'].map(argument), table)

  expect(options.map(({ argument, valueArgument }) => [argument.text, valueArgument.text])).toEqual([
    ['-o', 'x'],
    ['-oy', '-oy'],
  ])
})
