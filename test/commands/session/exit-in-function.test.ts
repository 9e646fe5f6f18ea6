// Where the shell ends inside of functions, the session has what is outside of them.
import fc from 'fast-check'
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

describe('a reference', () => {
  test.each([
    ['of the session', 'declare -n ref=t', ':', 'declare -n ref="t"\n5\n'],
    ['of the call', ':', 'declare -n ref=t', 'declare -n ref="t"\n5\n'],
    ['behind a local variable', 'declare -n ref=t', 'l() { local ref=1; exit; }', 'declare -n ref="t"\n5\n'],
    [
      'behind a local reference',
      'declare -n ref=t',
      'l() { local -n ref=o; exit; }',
      'declare -n ref="t"\n5\n',
    ],
    ['to an element', 'declare -n ref=t[0]', ':', 'declare -n ref="t[0]"\n5\n'],
    [
      'that is local, before a variable',
      'ref=word',
      'l() { local -n ref=t; exit; }',
      'declare -- ref="word"\nword\n',
    ],
    ['that is local', ':', 'l() { local -n ref=t; exit; }', '\n'],
  ])('%s', async (_, before, command, expected) => {
    const shell = new ShellSession()
    await shell.output(`t=5 o=6; l() { exit; }; ${before}`)
    await shell.run(`${command}; f() { local a; l; }; f`)
    expect(await shell.output('declare -p ref 2>&-; echo "$ref"; true')).toBe(expected)
  })

  test('though set -e ends the shell', async () => {
    const shell = new ShellSession()
    await shell.output('t=5; declare -n ref=t')
    await shell.run('f() { local x; set -e; false; }; f')
    expect(await shell.output('ref=6; echo $t')).toBe('6\n')
  })
})

test.each(['-i', '-x', '-a', '-A', '-l', '-u', '-t', '-n', '-ix'])(
  'a local variable without a value gives its attributes to no other: local %s',
  async (flags) => {
    const shell = new ShellSession()
    await shell.output('b=1')
    await shell.run(`f() { local ${flags} b c; g; }; g() { local d; exit 0; }; f`)
    expect(await shell.output('declare -p b c 2>&-; true')).toBe('declare -- b="1"\n')
  },
)

test.each(['-i', '-x', '-a', '-A', '-l'])(
  'a global variable without a value keeps its attributes: declare %s',
  async (flags) => {
    const shell = new ShellSession()
    await shell.output(`declare ${flags} a`)
    await shell.run(`declare ${flags} b c; f() { local a=1 c; exit 0; }; f`)
    expect(await shell.output('declare -p a b c')).toBe(
      ['a', 'b', 'c'].map((name) => `declare ${flags} ${name}\n`).join(''),
    )
  },
)

test('a variable that the call has unset stays unset behind a local one', async () => {
  const shell = new ShellSession()
  await shell.output('x=1 HOME=/y')
  await shell.run('unset x HOME; f() { local x=2 HOME=/z; exit; }; f')
  expect(await shell.output(`echo "\${x-unset} \${HOME-unset}"`)).toBe('unset unset\n')
})

test('lines of a value that look like declarations declare nothing', async () => {
  const shell = new ShellSession()
  await shell.run(`v=$'x\\ndeclare -x y\\ny\\ndeclare -i PATH\\ny=1\\n'; w=1; f() { exit; }; f`)
  expect(await shell.output('declare -p y w 2>&-; declare -p PATH | cut -c1-15; true')).toBe(
    'declare -- w="1"\ndeclare -x PATH\n',
  )
})

const names = ['v_a', 'v_b', 'v_c', 'v_d', 'BASHV', 'IFS']
const value = fc.constantFrom('1', 'v_a', 'v_b', '"two words"', `$'x\\ny'`, `$'\\ndeclare -x v_a\\n'`)
const declaration = (keyword: string) =>
  fc
    .tuple(
      fc.constantFrom('', '', '-i', '-x', '-l', '-a', '-A', '-ix', '-n', '-t'),
      fc.constantFrom(...names),
      fc.option(value),
    )
    .map(([flags, name, word]) =>
      flags === '-n'
        ? `${keyword} -n ${name === 'IFS' ? 'v_d' : name}=target_${name}`
        : flags === '-a' || flags === '-A'
          ? `${keyword} ${flags} ${name}${word === null ? '' : `=([1]=${word})`}`
          : `${keyword} ${flags} ${name}${word === null || flags.includes('i') ? '' : `=${word}`}`,
    )
const statements = (keyword: string) =>
  fc.array(declaration(keyword), { maxLength: 4 }).map((all) => all.join('; '))

/** A new variable without value and attributes is kept only where the shell does not end in a function. */
const withoutBare = (text: string) => text.replaceAll(/^declare -- \w+\n/gm, '')

test('what random programs leave that end in nested functions is what they have outside of them', async () => {
  const program = fc.record({
    before: statements('declare'),
    globals: statements('declare'),
    locals: fc.array(statements('local'), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('exit 0', 'set -e; false', 'exit'),
  })
  const show = `declare -p ${names.join(' ')} 2>&-; true`
  const property = fc.asyncProperty(program, async ({ before, globals, locals, end }) => {
    const shell = new ShellSession()
    await shell.run(before)
    const functions = locals.map(
      (text, at) => `f${at}() {\n${text || ':'}\n${at + 1 < locals.length ? `f${at + 1}` : end}\n}`,
    )
    // What is global shows where no function is running.
    const { stdout: expected } = await shell.run(
      `${globals}\n${functions.join('\n')}\n${show}; echo shown\nf0 2>&-`,
    )
    // A value that is no number ends the shell where it is given to an integer.
    fc.pre(expected.endsWith('shown\n'))
    expect(withoutBare(`${await shell.output(show)}shown\n`)).toBe(withoutBare(expected))
  })
  await fc.assert(property, { numRuns: 60 })
})
