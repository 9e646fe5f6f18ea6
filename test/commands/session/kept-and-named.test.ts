// What a shell has besides variables and functions is kept or named.
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

test('the stack of pushd', async () => {
  const shell = new ShellSession({ workingDir: '/' })
  await shell.output('pushd /usr >/dev/null; pushd /tmp >/dev/null; cd /etc')
  expect(await shell.output('dirs -l; popd >/dev/null; pwd')).toBe('/etc /usr /\n/usr\n')
  expect(await shell.output('dirs -l; dirs -c')).toBe('/usr /\n')
  expect(await shell.output('dirs -l')).toBe('/usr\n')
})

test('positional parameters, with any content', async () => {
  const shell = new ShellSession()
  await shell.output(`set -- a '' "it's" $'x\\ny' -n k=v; set -k`)
  expect(await shell.output(`printf '[%s]' "$@"; shift 4`)).toBe(`[a][][it's][x\ny][-n][k=v]`)
  expect(await shell.output('echo "$*"; set --')).toBe('-n k=v\n')
  expect(await shell.output('echo $#')).toBe('0\n')
})

test('positional parameters, though a function with its own has ended the shell', async () => {
  const shell = new ShellSession()
  await shell.output('set -- a b; f() { exit; }; f x y z')
  await shell.output('set -- c; f() { exit; }')
  await shell.output('f x y z')
  expect(await shell.output('echo "$@"')).toBe('c\n')
})

test('the umask', async () => {
  const shell = new ShellSession()
  const given = await shell.output('umask; umask 077')
  expect(await shell.output(`umask; umask ${given}`)).toBe('0077\n')
  expect(await shell.output('umask')).toBe(given)
})

test('a function whose name bash takes for an assignment is named once, and costs nothing else', async () => {
  const shell = new ShellSession()
  const { unsaved } = await shell.run('function a=b { :; }; f() { echo f; }; x=1; cd /usr')
  expect(unsaved).toBe('function a=b (all else is kept)')
  expect(await shell.output('f; echo $x $PWD; function a=b { :; }')).toBe('f\n1 /usr\n')
})

test('an alias of a reserved word is named once, and costs nothing else', async () => {
  const shell = new ShellSession()
  const { unsaved } = await shell.run('alias {=x if=y l=ls; x=1')
  expect(unsaved).toBe('alias if, alias { (all else is kept)')
  await shell.output('shopt -s expand_aliases')
  expect(await shell.output(`trap 'echo bye' EXIT; alias`)).toBe(`alias l='ls'\nbye\n`)
})

test.each([
  ['enable -n kill', 'enable -n'],
  ['complete -W "a b" program', 'complete'],
  ["complete -W $'a\\nb\\'c' program", 'complete'],
  ['hash -p /bin/ls list', 'hash -p'],
  ['hash -p /nowhere/ls ls', 'hash -p'],
  ['BASH_COMPAT=4.3', 'BASH_COMPAT'],
  ['shopt -s compat43', 'BASH_COMPAT'],
])('what %s did is named once, and costs nothing else', async (command, name) => {
  const shell = new ShellSession()
  expect((await shell.run(`${command}; x=1`)).unsaved).toBe(`${name} (all else is kept)`)
  expect(await shell.output(`echo $x; shopt -q compat43 || echo new; ${command}`)).toBe('1\nnew\n')
})

test('what hash -p did is named where a function ends the shell', async () => {
  const shell = new ShellSession()
  const { unsaved } = await shell.run('f() { hash -p /nowhere/ls ls; exit 0; }; f')
  expect(unsaved).toBe('hash -p (all else is kept)')
})

test.each([
  'ls /; hash',
  'f() { local PATH=/bin; ls /; exit 0; }; f',
  'PATH=.:/bin/:/usr/bin; ls /; hash',
  'shopt -s compat43; shopt -u compat43',
])('nothing is named after %s', async (command) => {
  const shell = new ShellSession()
  expect((await shell.run(command)).unsaved).toBeUndefined()
})

test.each([
  ['x', 'declare x', 'declare -- x\n'],
  ['a variable without its value', 'export x; export -n x', 'declare -- x\n'],
])('that %s is declared', async (_, command, expected) => {
  const shell = new ShellSession()
  await shell.output(command)
  await shell.output('f() { local x=1; exit; }; f')
  expect(await shell.output('declare -p x')).toBe(expected)
})

describe('functions', () => {
  const define = 'f() { echo 1; }; g() { f; }; h() { h() { echo inner; }; echo outer; }'

  test.each([
    ['defined anew', 'f() { echo 2; }', 'f', '2\n'],
    ['defined anew by eval in another', 'e() { eval "$1"; }; e "f() { echo 2; }"', 'f', '2\n'],
    ['unset', 'unset -f f', 'type -t f; g 2>/dev/null; echo $?', '127\n'],
    ['exported', 'export -f f', 'bash -c f', '1\n'],
    ['that define themselves anew', 'h', 'h', 'inner\n'],
    ['beside a new one', 'i() { echo i; }', 'f; i; g', '1\ni\n1\n'],
  ])('%s, many calls after they were defined', async (_, change, show, expected) => {
    const shell = new ShellSession()
    await shell.output(define)
    for (let count = 0; count < 3; count += 1) await shell.output(':')
    await shell.run(change)
    for (let count = 0; count < 3; count += 1) expect(await shell.output(show)).toBe(expected)
  })

  test('defined anew by a function, on the line where they stood', async () => {
    const shell = new ShellSession({ workingDir: tempDir() })
    for (let line = 1; line < 40; line += 1) {
      await shell.output(`printf '${'\\n'.repeat(line)}target() { echo new; }' >lib.sh`)
      await shell.output('a() { eval "$(<lib.sh)"; }; target() { echo old; }')
      await shell.output(':')
      await shell.output('a')
      expect(await shell.output('target')).toBe('new\n')
    }
  }, 60_000)

  test('with two here-documents in a list are kept, or named once', async () => {
    const shell = new ShellSession()
    await shell.output('q() { cat <<A && cat <<B || :\na\nA\nb\nB\n}; f() { echo f; }')
    const { stdout, unsaved } = await shell.run('type -t q; f')
    expect(unsaved).toBe(stdout === 'f\n' ? 'function q (all else is kept)' : undefined)
    expect(await shell.output('f')).toBe('f\n')
  })

  test('with a coprocess that is a simple command are kept, or named once', async () => {
    const shell = new ShellSession()
    const { unsaved } = await shell.run('q() { coproc cat; }; f() { echo f; }')
    const { stdout } = await shell.run('f; declare -f q | grep -o "coproc.*"')
    // Bash 5.3 prints it as it is.
    expect({ stdout, unsaved }).toEqual(
      stdout === 'f\n'
        ? { stdout, unsaved: 'function q (all else is kept)' }
        : { stdout: 'f\ncoproc cat\n', unsaved: undefined },
    )
  })

  test('with a named coprocess are kept', async () => {
    const shell = new ShellSession()
    await shell.output('q() { coproc { echo inner; }; read -u "${COPROC[0]}" x; echo "$x"; }')
    for (let count = 0; count < 3; count += 1) expect(await shell.output('q')).toBe('inner\n')
  })
})
