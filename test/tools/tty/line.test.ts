// What stands in the line of a shell, from what was typed.
import { afterKey, emptyLine, joined, recallsHistory, type TypedLine } from '../../../lib/tools/tty/line.js'
import { areFree, hasText, typed } from '../../../lib/tools/tty/typing.js'

const readline = { cooked: false, bracketedPaste: true }
const cooked = { cooked: true, bracketedPaste: false }
const line = (text: string, rest: Partial<TypedLine> = {}): TypedLine => ({ ...emptyLine, text, ...rest })
const write = (from: TypedLine, text: string, submit = true, modes = readline) =>
  typed(from, { text, submit, keys: [] }, modes)
const press = (from: TypedLine, ...keys: string[]) => typed(from, { text: '', submit: false, keys }, readline)

test('text without Enter stays, and Enter gives it to the shell', () => {
  expect(write(emptyLine, 'ls', false)).toEqual({ submitted: [], doubtful: [line('ls')], line: line('ls') })
  expect(write(line('ls'), ' -l')).toEqual({ submitted: [line('ls -l')], doubtful: [], line: emptyLine })
})

test.each([
  ['rm -rf \\', true],
  ['echo \\\\', false],
  ['echo "open', true],
  ['if true; then', true],
  ['cat <<END', true],
  ['cat <<END\ntext\nEND', false],
  ["cat <<-'END'\ntext\n\tEND", false],
  ['ls | wc', false],
  ['ls |', true],
])('%j goes on: %s', (text, goesOn) => {
  expect(write(emptyLine, text).line).toEqual(line('', { open: goesOn ? text : '' }))
})

test('a line behind an open command is read with it, and alone', () => {
  const open = write(emptyLine, 'rm -rf \\').line
  expect(joined({ ...open, text: '/' })).toBe('rm -rf \\\n/')
})

test.each([
  [['l', 's', 'Space', '-', 'x', 'BSpace', 'l'], line('ls -l')],
  [['C-u'], line('')],
  [['Up'], line('draft', { isKnown: false })],
  [['Tab'], line('draft', { isKnown: false })],
  [['Left', 'C-u', 'x'], line('draftx', { isKnown: false })],
  [['Left', 'BSpace'], line('draft', { isKnown: false })],
  [['C-z'], line('draft', { isKnown: false })],
  [['C-\\'], line('draft', { isKnown: false })],
  [['C-c'], emptyLine],
  [['C-l'], line('draft')],
])('keys %j', (keys, expected) => {
  const from = keys[0] === 'l' ? emptyLine : line('draft')
  expect(press(from, ...keys)).toMatchObject({ submitted: [], line: expected })
})

test('a character of several bytes goes as the shell sees it', () => {
  expect(press(line('rm -rf /x\u0301'), 'BSpace').line.isKnown).toBe(false)
})

test('what stands after C-d goes on, and after keys that may have run it is not known', () => {
  expect(press(line('rm -rf'), 'C-d')).toMatchObject({ submitted: [line('rm -rf')], line: line('rm -rf') })
  for (const key of ['C-o', 'C-x', 'M-Enter', 'M-C-j', 'M-#']) {
    expect(press(line('x'), key)).toEqual({
      submitted: [line('x')],
      doubtful: [],
      line: line('x', { isKnown: false }),
    })
  }
})

test('each character may be a key that runs the line', () => {
  expect(press(line('x'), 'y', 'Escape', 'v').doubtful).toEqual([line('xy'), line('xyv', { isKnown: false })])
})

test.each([
  ['!!', true],
  ['rm !$', true],
  ['echo "!rm"', true],
  ['true\n^echo^rm', true],
  ["echo 'a!b' c!", false],
  ['[[ ! -e /x ]] && echo $! "Hi!" \\!x $((1 != 2)); ls [!a]', false],
])('%j recalls what was typed before: %s', (text, recalls) => {
  expect(recallsHistory(text)).toBe(recalls)
})

test('Enter by any name gives the line to the shell; so does C-d, unless it is empty', () => {
  for (const key of ['Enter', 'enter', 'C-m', 'C-j', 'C-o', 'C-d']) {
    expect(press(line('x'), key).submitted).toEqual([line('x')])
  }
  expect(press(emptyLine, 'C-d').submitted).toEqual([])
})

test('several lines are one script, in a paste or not', () => {
  expect(write(emptyLine, 'a\nb').submitted).toEqual([line('a\nb')])
  expect(write(emptyLine, 'a\nb', false)).toMatchObject({ submitted: [], line: line('a\nb') })
  expect(write(emptyLine, 'a\nb', false, cooked)).toMatchObject({ submitted: [line('a')], line: line('b') })
})

test('a tab is completed by what reads keys', () => {
  expect(write(emptyLine, 'ls\t').submitted).toEqual([line('ls\t', { isKnown: false })])
  expect(write(emptyLine, 'ls\t', true, cooked).submitted).toEqual([line('ls\t')])
  expect(write(emptyLine, 'ls\t\nls').submitted).toEqual([line('ls\t\nls')])
  const unmarked = { ...readline, bracketedPaste: false }
  expect(write(emptyLine, 'ls\t\nls', true, unmarked).submitted[0]?.isKnown).toBe(false)
})

test('C-c and C-d are free, and no text', () => {
  const keys = (...names: string[]) => ({ text: '', submit: false, keys: names })
  expect([areFree(keys('C-c', 'c-D')), areFree(keys('C-c', 'x')), areFree(keys('Up'))]).toEqual([
    true,
    false,
    false,
  ])
  expect([hasText(keys('C-c')), hasText(keys('Up')), hasText(keys('x')), hasText(keys('Enter'))]).toEqual([
    ...[false, false, true, true],
  ])
})

test('what is left of the line is bounded', () => {
  const { line: after } = afterKey(line('x'.repeat(1_000_000)), 'y')
  expect(after.text.length).toBeLessThanOrEqual(64 * 1024)
})

describe('a command of over 64 Ki characters is not known', () => {
  const half = 'x'.repeat(40_000)

  test('in one text', () => {
    const { submitted, line: after } = write(emptyLine, `rm -rf / ;${half}${half}`)
    expect(submitted).toMatchObject([{ isKnown: false }])
    expect(after).toEqual(emptyLine)
  })

  test('in more than one, and stays so as characters are taken back', () => {
    const { line: begun } = write(write(emptyLine, `rm -rf / ;${half}`, false).line, half, false)
    expect(begun.isKnown).toBe(false)
    expect(press(begun, 'BSpace', 'x', 'Enter').submitted).toMatchObject([{ isKnown: false }])
    expect(press(begun, 'C-c').line).toEqual(emptyLine)
  })

  test('with the lines that it has begun in', () => {
    const { line: open } = write(emptyLine, `rm -rf / ;${half} \\`)
    expect(open).toMatchObject({ isKnown: true, text: '' })
    expect(write(open, half).submitted).toMatchObject([{ isKnown: false }])
  })

  test('and one of 64 Ki is', () => {
    expect(write(emptyLine, 'x'.repeat(65_535)).submitted).toMatchObject([{ isKnown: true }])
  })
})
