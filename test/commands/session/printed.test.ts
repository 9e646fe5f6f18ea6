// The grammar of what bash prints about its variables, functions and aliases.
import * as declarations from '../../../lib/commands/session/printed.js'
import { RecordFault } from '../../../lib/commands/session/reading.js'
import { atOnce } from './at-once.js'

const readDefinitions = (text: string) => atOnce(declarations.readDefinitions(text))

const readElements = (word: string): [string, string][] => {
  const elements: [string, string][] = []
  atOnce(declarations.readElements(word, (key, value) => elements.push([key, value])))
  return elements
}

test('reads variables of every kind', () => {
  const text = [
    'declare -- a="1"',
    'declare -x b',
    `declare -ir c=$'x\\n'`,
    'declare -a d=([0]="x" [7]="y z")',
    'declare -A e=([k]="v" ["a b"]="w" )',
    'declare -a f=()',
    'declare -n g="a"',
    '',
  ].join('\n')
  const { variables } = readDefinitions(text)
  expect([...variables.values()]).toEqual([
    { name: 'a', flags: '--'.slice(1), word: '"1"' },
    { name: 'b', flags: 'x', word: undefined },
    { name: 'c', flags: 'ir', word: `$'x\\n'` },
    { name: 'd', flags: 'a', word: '([0]="x" [7]="y z")' },
    { name: 'e', flags: 'A', word: '([k]="v" ["a b"]="w" )' },
    { name: 'f', flags: 'a', word: '()' },
    { name: 'g', flags: 'n', word: '"a"' },
  ])
})

test('reads a value with a line break in it, as bash before 5.0 prints it', () => {
  const { variables } = readDefinitions('declare -- a="x\ndeclare -- b=\\"y\\""\ndeclare -- c="1"\n')
  expect([...variables.keys()]).toEqual(['a', 'c'])
})

test('reads functions and aliases', () => {
  const { functions, aliases } = readDefinitions(
    `alias a='x'\\''y'\nalias -- -b='z'\nalias q=\\'\ndeclare -f f\ndeclare -fx my.g\n`,
  )
  expect([...functions]).toEqual([
    ['f', 'f'],
    ['my.g', 'fx'],
  ])
  expect([...aliases]).toEqual([
    ['a', `x'y`],
    ['-b', 'z'],
    ['q', `'`],
  ])
})

test('reads the elements of an array', () => {
  expect(readElements(`([0]="a" [k]=$'b' ["c ]"]="d" )`)).toEqual([
    ['0', '"a"'],
    ['k', `$'b'`],
    ['"c ]"', '"d"'],
  ])
})

test.each([
  'garbage\n',
  'declare -- a="1"',
  'declare -- a="1" garbage\n',
  'declare -- a="1\n',
  'declare -- a=$(x)\n',
  'declare -- a-b="1"\n',
  'declare -a a=([0]="x"[1]="y")\n',
  'declare -a a=([0]="x"\n',
  'declare -a a=(x y)\n',
  'declare a="1"\n',
  'declare -f $(x)\n',
  'alias a=x\n',
  "alias $(x)='y'\n",
  '\n',
])('refuses %j', (text) => {
  expect(() => readDefinitions(text)).toThrow(RecordFault)
})
