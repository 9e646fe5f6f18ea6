import { table } from '../../../lib/surfaces/cli/text-table.js'

const rows = [
  [['NAME'], ['TEXT']],
  [['first'], ['one two three four five']],
  [['second'], ['']],
] as const

describe('table', () => {
  test('aligns columns, and ends no line with blanks', () => {
    expect(table(rows, { overflow: 'wrap' })).toBe('NAME    TEXT\nfirst   one two three four five\nsecond\n')
  })

  test('wraps the last column between words, under where it begins', () => {
    expect(table(rows, { overflow: 'wrap', width: 22 })).toBe(
      'NAME    TEXT\nfirst   one two three\n        four five\nsecond\n',
    )
  })

  test('cuts the last column', () => {
    expect(table(rows, { overflow: 'cut', width: 28 })).toBe(
      'NAME    TEXT\nfirst   one two three four …\nsecond\n',
    )
  })

  test('gives the last column lines of its own where there is no room beside the others', () => {
    expect(table(rows, { overflow: 'wrap', width: 18 })).toBe(
      'NAME\n  TEXT\nfirst\n  one two three\n  four five\nsecond\n',
    )
  })

  test('leaves a word that is too long to the terminal', () => {
    expect(table([[['a'], ['/a/path/that/is/long']]], { overflow: 'wrap', width: 15 })).toBe(
      'a  /a/path/that/is/long\n',
    )
  })

  test('colours do not change the alignment', () => {
    const paint = (style: string, text: string) => `<${style}>${text}</>`
    const colored = [
      [
        ['a', 'red'],
        ['b', 'dim'],
      ],
      [['long'], ['c']],
    ] as const

    expect(table(colored, { overflow: 'cut', paint })).toBe('<red>a</>     <dim>b</>\nlong  c\n')
  })
})
