// Functions that live on from call to call.
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const carriedOver = async (set: string, show: string): Promise<string> => {
  const shell = new ShellSession()
  await shell.output(set)
  return await shell.output(show)
}

test.each([
  ['simple', 'f() { echo "f $1"; }', 'f x', 'f x\n'],
  ['defined by the word function', 'function f { echo f; }', 'f', 'f\n'],
  ['with a subshell as its body', 'f() ( cd /; pwd )', 'f', '/\n'],
  ['with a redirection of its own', 'f() { echo f; echo e >&2; } 2>/dev/null', 'f', 'f\n'],
  ['that calls itself', 'f() { (($1 == 0)) || { echo $1; f $(($1 - 1)); }; }', 'f 2', '2\n1\n'],
  ['with a name that is no identifier', 'my-f.x+() { echo f; }; +z() { echo z; }', 'my-f.x+; +z', 'f\nz\n'],
  ['with a name that starts with a minus', 'function -f { echo f; }', '\\-f', 'f\n'],
  ['exported', 'f() { echo f; }; export -f f', 'bash -c f', 'f\n'],
  ['traced', 'f() { :; }; declare -ft f', 'declare -pf f | tail -1', 'declare -ft f\n'],
  [
    'with extended patterns',
    'shopt -s extglob\nf() { [[ $1 == +(a|b) ]] && echo y; }\nshopt -u extglob',
    'f ab',
    'y\n',
  ],
  ['with bytes that are not UTF-8', `eval $'f() { echo \\'\\xff\\'; }'`, 'f | od -An -tx1', ' ff 0a\n'],
])('%s', async (_, set, show, expected) => {
  expect(await carriedOver(set, show)).toBe(expected)
})

const heredocs = String.raw`
a() {
  cat <<EOF | tr a-z A-Z && echo done
}
a () 
{ 
    echo inner $1
}
b () 
{ 
    :
}
EOF
  cat <<-'X' >&2 2>/dev/null
	$1 \ 'quote
	X
}
b() { cat <<"E F"
b $HOME
E F
}`

test('with here-documents, one of them with the text of functions', async () => {
  const shell = new ShellSession()
  await shell.output(heredocs)
  const before = await shell.output('declare -f a b')
  expect(await shell.output('a x 2>&1; b')).toBe(
    "}\nA () \n{ \n    ECHO INNER X\n}\nB () \n{ \n    :\n}\ndone\n$1 \\ 'quote\nb $HOME\n",
  )
  expect(await shell.output('declare -f a b')).toBe(before)
})

test('defined again and unset', async () => {
  const shell = new ShellSession()
  await shell.output('f() { echo 1; }; g() { echo g; }')
  await shell.output('f() { echo 2; }; unset -f g')
  expect(await shell.output('f; type -t g')).toBe('2\n')
})

test('of the environment: unset stays unset', async () => {
  const env = { 'BASH_FUNC_f%%': '() { echo host; }' }
  const shell = new ShellSession()
  expect(await shell.output('f', { env })).toBe('host\n')
  await shell.output('unset -f f', { env })
  expect(await shell.output('type -t f', { env })).toBe('')
})

test('the helpers are not among those carried over', async () => {
  const shell = new ShellSession()
  await shell.output('f() { :; }')
  await shell.output(':')
  expect(await shell.output('declare -F')).toBe(
    'declare -f __bashward_begin\ndeclare -f __bashward_save\ndeclare -f f\ndeclare -f trap\n',
  )
})

test('one that bash cannot read back does not cost the others', async () => {
  const shell = new ShellSession()
  await shell.output('f() { echo f; }; g() { echo g; }; x=1')
  const spoil = (state: Buffer) =>
    Buffer.from(state.toString('latin1').replace('    echo f\n', '    echo ( f\n'), 'latin1')
  await shell.run(':', { tamper: spoil })
  expect(await shell.run('type -t f; g; echo $x')).toMatchObject({
    stdout: 'g\n1\n',
    stderr: '',
    unsaved: 'function f (all else is kept)',
  })
})

describe('functions that stand in front of builtins', () => {
  const names = [
    'cd',
    'declare',
    'unset',
    'eval',
    'printf',
    'command',
    'set',
    'shopt',
    'return',
    'pwd',
    'alias',
    ':',
  ]
  const all = [...names, 'export', 'local', 'mapfile', 'compgen', 'exec', 'exit', 'test', '[']

  test.each(all)('%s is kept and harms nothing', async (name) => {
    const shell = new ShellSession()
    await shell.output(`x=1; cd /usr; function ${name} { echo called; }`)
    expect(await shell.output(`echo $x; builtin pwd; ${name}`)).toBe('1\n/usr\ncalled\n')
    expect(await shell.output(`builtin unset -f ${name}; builtin type -t ${name}`)).toBe('builtin\n')
  })

  test('all at once', async () => {
    const shell = new ShellSession()
    await shell.output(`${all.map((name) => `function ${name} { echo called; }`).join('\n')}\nx=1`)
    await shell.output('x=2')
    expect(await shell.output('echo $x; eval')).toBe('2\ncalled\n')
  })

  test.each(['builtin', 'trap'])('%s is not carried over and harms nothing', async (name) => {
    const shell = new ShellSession()
    await shell.output(`x=1; ${name}() { echo called; }`)
    expect(await shell.output('echo $x; type -t builtin; y=1')).toBe('1\nbuiltin\n')
    expect(await shell.output(`trap 'echo bye' EXIT; echo $y`)).toBe('1\nbye\n')
  })
})
