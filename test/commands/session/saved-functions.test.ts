// The functions of a record: where the text of one ends, and the next begins.
import { RecordFault } from '../../../lib/commands/session/reading.js'
import { readFunctions, type SavedFunctions } from '../../../lib/commands/session/saved-functions.js'
import type { ShellState } from '../../../lib/commands/session/state.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { atOnce } from './at-once.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const text = (name: string, body = ':') => `${name} () \n{ \n    ${body}\n}\n`

const read = (
  names: string[],
  texts: string,
  before: ShellState['functions'] = new Map(),
  earlier?: SavedFunctions,
) => atOnce(readFunctions({ names: names.map((name) => `${name}\n`).join(''), texts }, before, earlier))

const textsOf = ({ functions }: SavedFunctions) => [...functions].map(([name, { text }]) => [name, text])

test('each gets its own text', () => {
  expect(textsOf(read(['a', 'b'], text('a') + text('b')))).toEqual([
    ['a', text('a')],
    ['b', text('b')],
  ])
})

test('a line that looks like the beginning of another one keeps both together', () => {
  const a = text('a', `echo '}\nb () \n{ \n'`)
  expect(textsOf(read(['a', 'b', 'c'], a + text('b') + text('c')))).toEqual([
    ['a', a + text('b')],
    ['b', ''],
    ['c', text('c')],
  ])
})

test('of those that bash has read before, the ends are known', () => {
  const a = text('a', `echo '}\nb () \n{ \n'`)
  const before = new Map([['a', { text: a, flags: 'f', isProven: true }]])
  expect(textsOf(read(['a', 'b'], a + text('b'), before))).toEqual([
    ['a', a],
    ['b', text('b')],
  ])
})

test('what has been read back is proven, and is the same from then on', () => {
  const texts = text('a') + text('b')
  const first = read(['a', 'b'], texts)
  const second = read(['a', 'b'], texts, first.functions, first)
  const third = read(['a', 'b'], texts, second.functions, second)

  expect([...first.functions.values()].map(({ isProven }) => isProven)).toEqual([false, false])
  expect([...second.functions.values()].map(({ isProven }) => isProven)).toEqual([true, true])
  expect(third).toBe(second)
})

test.each([
  ['a text without a name', [], text('a')],
  ['a name without a text', ['a', 'b'], text('a')],
  ['text before the first one', ['a'], `garbage\n${text('a')}`],
  ['another order', ['b', 'a'], text('a') + text('b')],
  ['a name twice', ['a', 'a'], text('a') + text('a')],
])('%s is a fault', (_, names, texts) => {
  expect(() => read(names, texts)).toThrow(RecordFault)
})

const inner = (name: string) => `}\n${name} () \n{ \n    echo inner\n}\n`

test('functions that hold the text of others come back as they were, also when they change', async () => {
  const shell = new ShellSession()
  await shell.output(
    `a() { echo '${inner('b')}'; }; b() { echo "${inner('a')}"; }; c() { :; }; d() { cat <<E\n${inner('c')}E\n}`,
  )
  for (const change of [
    ':',
    `b() { echo '${inner('c')}'; }`,
    ':',
    'unset -f c',
    'c() { echo c; }; export -f d',
  ]) {
    const before = await shell.output(`${change}\ndeclare -f a b c d; declare -F a b c d`)
    expect(await shell.output('declare -f a b c d; declare -F a b c d')).toBe(before)
  }
})

test('names with bytes that are blanks in other character sets are kept', async () => {
  const shell = new ShellSession()
  await shell.output('voilà() { echo yes; }; x=1')
  expect(await shell.output('voilà; echo $x')).toBe('yes\n1\n')
})

test('200 functions, of which one is changed, one is unset and one is new', async () => {
  const shell = new ShellSession()
  await shell.output('for i in {1..200}; do eval "f$i() { echo $i; }"; done')
  await shell.output(':')
  await shell.output('f7() { echo seven; }; unset -f f8; f201() { echo new; }')
  expect(await shell.output('f7; type -t f8; f9; f201; compgen -A function f | wc -l')).toBe(
    'seven\n9\nnew\n200\n',
  )
})
