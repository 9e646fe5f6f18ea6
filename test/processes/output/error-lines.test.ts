// Which lines of an output tell of an error, and how many of them are kept.
import { ErrorLines, judgeLine, lineCountOf, selectionOf } from '../../../lib/processes/output/error-lines.js'

describe('a line', () => {
  test.each([
    'module.c:3:9: error: expected expression before "}" token',
    'src/app.ts(3,7): error TS2322: Type "string" is not assignable to type "number".',
    'src/app.ts:3:7 - error TS2322: Type "string" is not assignable',
    'error[E0308]: mismatched types',
    "thread 'main' panicked at src/main.rs:2:5:",
    'panic: runtime error: index out of range',
    'Traceback (most recent call last):',
    'ValueError: invalid literal for int()',
    'java.lang.NullPointerException: null',
    'E       assert 36 == 42',
    'FAIL test/app.test.js',
    '--- FAIL: TestSum (0.00s)',
    'not ok 7 - adds numbers',
    'npm ERR! code ELIFECYCLE',
    'npm error code E404',
    '    ✕ adds numbers (3 ms)',
    'make: *** [Makefile:4: all] Error 2',
    'ld: main.o: undefined reference to `compute' + "'",
    'fatal: not a git repository',
    'Segmentation fault (core dumped)',
  ])('%s: surely', (line) => {
    expect(judgeLine(line)).toBe('surely')
  })

  test.each(['the upload failed after three attempts', 'cannot open the file'])('%s: perhaps', (line) => {
    expect(judgeLine(line)).toBe('perhaps')
  })

  test.each([
    '12 passed, 0 failed',
    'compiled with no errors',
    'gcc -Wall -Werror -c main.c',
    'adding lib/base/errors.ts',
    'test handles_error ... ok',
    'test_errors.py::test_error PASSED',
    'Compiling thiserror v1.0.3',
    'everything is fine',
    '',
  ])('%s: not', (line) => {
    expect(judgeLine(line)).not.toBe('surely')
  })

  test('takes little time, whatever is in it', () => {
    for (const piece of ['E   ', 'A1', 'make: ', "thread '", 'error', 'Error', ' ']) {
      expect(judgeLine(piece.repeat(100_000).slice(0, 2000))).not.toBe('never')
    }
  })
})

const numbersOf = (lines: ErrorLines, isShown = (_: number) => false): number[] =>
  lines.select(isShown).map(({ number }) => number)

describe('a search', () => {
  test('counts lines, however they come in', () => {
    const lines = new ErrorLines()
    for (const piece of ['one\ntwo\ner', 'ror: a\nfour\n', 'error: b']) lines.add(piece)
    lines.end()

    expect(lines.select(() => false)).toEqual([
      { number: 3, text: 'error: a' },
      { number: 5, text: 'error: b' },
    ])
    expect(lines.lineCount).toBe(5)
  })

  test('keeps the first and the last of very many', () => {
    const lines = new ErrorLines()
    for (let i = 0; i < 100_000; i++) lines.add('error: again\n')

    expect(numbersOf(lines)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8],
      ...[99_993, 99_994, 99_995, 99_996, 99_997, 99_998, 99_999, 100_000],
    ])
  })

  test('gives what may be one only where nothing surely is', () => {
    const lines = new ErrorLines()
    lines.add('it failed\nerror: a\n')

    expect(numbersOf(lines)).toEqual([2])
    expect(numbersOf(lines, (number) => number === 2)).toEqual([1])
  })

  test('keeps little of a line without end', () => {
    const lines = new ErrorLines()
    lines.add('error: ')
    for (let i = 0; i < 1000; i++) lines.add('x'.repeat(10_000))
    lines.end()

    expect(lines.select(() => false)[0]?.text).toMatch(/^error: x{193}…$/)
  })
})

test('a selection has as many lines as there is room for, from both ends', () => {
  const lines = Array.from({ length: 16 }, (_, index) => ({
    number: index + 1,
    text: 'error: '.padEnd(90, 'x'),
  }))
  const selection = selectionOf(lines, 600)

  expect(selection.length).toBeLessThanOrEqual(600)
  expect(selection).toMatch(/^\n\n\[selected from .*\]\n1: error/)
  expect(selection).toMatch(/\n16: error: x+$/)
  expect(selectionOf(lines, 80)).toBe('')
  expect(selectionOf([], 600)).toBe('')
})

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
])('%j has %d lines', (text, count) => {
  expect(lineCountOf(text)).toBe(count)
})
