import {
  guessLeadingOptions,
  parseLeadingOptions,
  parseOptions,
  UsageError,
} from '../../../lib/surfaces/cli/command-line.js'

const options = { flag: { type: 'boolean', short: 'f' }, name: { type: 'string' } } as const

const parse = (...args: string[]) => parseLeadingOptions('program', args, options)

describe('parseLeadingOptions', () => {
  test('takes the options before the first word', () => {
    expect(parse('--flag', '--name', 'x', 'word')).toEqual({
      values: { flag: true, name: 'x' },
      words: ['word'],
    })
  })

  test('leaves everything from the first word on alone', () => {
    expect(parse('-f', 'ls', '--name', '-f', '--', '--other').words).toEqual([
      'ls',
      '--name',
      '-f',
      '--',
      '--other',
    ])
  })

  test('the value of an option is no word', () => {
    expect(parse('--name', 'ls')).toEqual({ values: { name: 'ls' }, words: [] })
  })

  test('-- ends the options and is no word', () => {
    expect(parse('--name=x', '--', '--flag')).toEqual({ values: { name: 'x' }, words: ['--flag'] })
  })

  test('a single dash and an empty word are words', () => {
    expect(parse('-', '-f').words).toEqual(['-', '-f'])
    expect(parse('', '-f').words).toEqual(['', '-f'])
  })

  test('of an option given twice the last one counts', () => {
    expect(parse('--name', 'a', '--name', 'b').values).toEqual({ name: 'b' })
  })

  test('the value of an option may begin with a dash', () => {
    expect(parse('--name', '-5', '-f', 'word')).toEqual({
      values: { name: '-5', flag: true },
      words: ['word'],
    })
    expect(parse('--name', '-').values).toEqual({ name: '-' })
  })

  test.each([
    ['an unknown option', ['--other', 'word'], '--other'],
    ['an unknown letter', ['-fx', 'word'], '-x'],
    ['an option without its value', ['--name'], '--name'],
    ['an option whose value looks like an option', ['--name', '--flag', 'word'], '--name'],
    ['an option whose value is the letter of an option', ['--name', '-f', 'word'], '--name'],
    ['an option whose value is the end of options', ['--name', '--', 'word'], '--name'],
    ['a value for an option that has none', ['--flag=yes', 'word'], '--flag'],
  ])('refuses %s', (_, args, named) => {
    const refused = () => parse(...args)

    expect(refused).toThrow(UsageError)
    expect(refused).toThrow(named)
  })
})

describe('parseOptions', () => {
  const parseAnywhere = (...args: string[]) => parseOptions('program', args, options)

  test('takes options before, between and after the words', () => {
    expect(parseAnywhere('one', '--flag', 'two', '--name', '-x', 'three')).toEqual({
      values: { flag: true, name: '-x' },
      words: ['one', 'two', 'three'],
    })
  })

  test('after -- there are words only', () => {
    expect(parseAnywhere('one', '--', '--flag')).toEqual({ values: {}, words: ['one', '--flag'] })
  })

  test('refuses an unknown option', () => {
    expect(() => parseAnywhere('one', '--other')).toThrow(UsageError)
  })
})

describe('guessLeadingOptions', () => {
  test('understands what it can of a wrong command line', () => {
    expect(guessLeadingOptions(['--other', '--flag', '--name', 'x', 'word', '--flag'], options)).toEqual({
      values: { other: true, flag: true, name: 'x' },
      words: ['word', '--flag'],
    })
  })
})
