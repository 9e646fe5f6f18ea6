// Every way a call can end: what is saved, and that the exit status is bash's own.
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

describe('the state is saved', () => {
  test.each([
    ['exit 3', 3],
    ['exit', 0],
    ['false', 1],
    ['set -e; (exit 9); x=no', 9],
    ['set -e; false; x=no', 1],
    ['set -u; echo $nope; x=no', 127],
    [`: \${nope?}; x=no`, 127],
    ['echo $((1 / 0)); x=no', 1],
    ['readonly r; r=1; x=no', 1],
    ['exec nosuchprogram; x=no', 127],
    ['eval "exit 5"', 5],
    ['. /dev/stdin <<< "exit 6"', 6],
    ['f() { exit 7; }; f; x=no', 7],
    ['trap "exit 8" USR1; kill -USR1 $$; x=no', 8],
    ['shopt -s lastpipe; true | exit 4; x=no', 4],
    ['shopt -s failglob; echo /nosuch*; x=no', 1],
    ['nosuchprogram', 127],
    ['kill -9 $BASHPID & wait $!', 137],
    ['(kill -TERM $BASHPID)', 143],
    ['bash -c "exit 11"', 11],
  ])('%s', async (command, exitCode) => {
    const shell = new ShellSession()
    expect(await shell.run(`x=saved; ${command}`)).toMatchObject({
      exitCode,
      signal: null,
      unsaved: undefined,
    })
    expect(await shell.output('echo $x')).toBe('saved\n')
  })

  test('when the command is not bash, after what came before', async () => {
    const shell = new ShellSession()
    await shell.output('x=saved')
    const { exitCode, unsaved } = await shell.run('x=no; if')
    // It is 1 in bash 4.4.
    expect([1, 2]).toContain(exitCode)
    expect(unsaved).toBeUndefined()
    expect(await shell.output('echo $x')).toBe('saved\n')
  })
})

describe('the session is as it was before the call', () => {
  test.each([
    ['exec true', 'ended without saving'],
    ['exec true & wait; exec bash -c "exit 3"', 'ended without saving'],
    ['kill -9 $$', 'was ended before'],
    ['kill -TERM $$; :', 'was ended before'],
    ['kill -SEGV $$; :', 'was ended before'],
    ['f() { kill -HUP $$; :; }; f', 'was ended before'],
    ['builtin trap - EXIT', 'ended without saving'],
    ['set -o posix; trap : EXIT', 'ended without saving'],
  ])('%s', async (command, reason) => {
    const shell = new ShellSession()
    await shell.output('x=before; cd /usr; f() { echo before; }')
    const { unsaved } = await shell.run(`x=after; cd /; f() { :; }; y=1; ${command}`)
    expect(unsaved).toContain(reason)
    expect(await shell.output(`echo "$x $PWD \${y-unset}"; f`)).toBe('before /usr unset\nbefore\n')
  })

  test('when the command is cancelled', async () => {
    const shell = new ShellSession()
    await shell.output('x=before')
    const controller = new AbortController()
    const call = shell.run(`x=after; sleep ${uniqueSleep()}`, { cancelSignal: controller.signal })
    controller.abort()
    await expect(call).rejects.toThrow()
    expect(await shell.output('echo $x')).toBe('before\n')
  })
})

test('children do not save: subshells, background jobs, substitutions, coprocesses', async () => {
  const shell = new ShellSession()
  const children = [
    '(x=sub; cd /; exit 1)',
    'y=$(x=substituted; exit 1)',
    '{ x=pipe; exit; } | { x=line; exit; }',
    '{ x=background; exit; } & wait',
    'coproc { x=coproc; exit; }; wait',
    'cat <(x=process; exit) >/dev/null',
    '(trap "x=trapped" EXIT; exit)',
  ]
  for (const child of children) await shell.run(`x=main; cd /usr; ${child}; :`)
  expect(await shell.output('echo $x $PWD')).toBe('main /usr\n')
})

test('a child that outlives the shell does not change what was saved', async () => {
  const shell = new ShellSession()
  await shell.output('x=main; (x=late; sleep 0.2; exit) >/dev/null 2>&1 &')
  expect(await shell.output('echo $x')).toBe('main\n')
})

describe('exit inside a function', () => {
  test('saves the global variables and not the local ones', async () => {
    const shell = new ShellSession()
    await shell.output(
      'a=1 b=global c=global; d=(1 2); declare -A e=([k]=v); declare -i n=3; export x=global',
    )
    const { exitCode, unsaved } = await shell.run(`
      outer() { local a=local b=outer d=(9) only=1 IFS=,; local -A e=([z]=z); c=changed; local x=local; inner; }
      inner() { local b=inner c=local; local -n ref=b; ref=deep; new=1; local -r fixed=1; exit 4; }
      T=1 outer`)
    expect({ exitCode, unsaved }).toEqual({ exitCode: 4, unsaved: undefined })
    expect(await shell.output(`declare -p a b c d e n x new; echo "\${IFS@Q}"`)).toBe(
      [
        'declare -- a="1"',
        'declare -- b="global"',
        'declare -- c="changed"',
        'declare -a d=([0]="1" [1]="2")',
        'declare -A e=([k]="v" )',
        'declare -i n="3"',
        'declare -x x="global"',
        'declare -- new="1"',
        "$' \\t\\n'\n",
      ].join('\n'),
    )
    expect(await shell.output('declare -p only ref fixed T 2>/dev/null; declare -F outer inner')).toBe(
      'outer\ninner\n',
    )
  })

  test('saves the same under localvar_unset', async () => {
    const shell = new ShellSession()
    await shell.output(
      'shopt -s localvar_unset 2>/dev/null; x=global; f() { local x=local; g; }; g() { local x=inner; exit; }; f',
    )
    expect(await shell.output('echo $x')).toBe('global\n')
  })

  test('with read-only variables, which can be changed afterwards', async () => {
    const shell = new ShellSession()
    await shell.output('readonly r=1; f() { local x=1; exit 0; }; x=global; f')
    expect(await shell.output('echo $x; r=2; x=3; echo $r $x')).toBe('global\n2 3\n')
  })

  test.each([
    ['exit', 'main() { exit; }'],
    ['set -e', 'main() { set -e; false; }'],
  ])('saves what was read-only before, with the value that it has: %s', async (_, define) => {
    const expected = `declare -a a=([0]="1" [1]="2")\ndeclare -x y="3"\n${'new\ndeclare -r z="1"'} 2\n`
    const shell = new ShellSession()
    await shell.output('x=old')
    await shell.run(
      `x=$'new\\ndeclare -r z="1"'; z=2; readonly x; declare -ar a=(1 2); export y=3; readonly y; ${define}; main`,
    )
    expect(await shell.output('declare -p a y; echo "$x $z"')).toBe(expected)
  })

  test('saves the state after `local -`', async () => {
    const shell = new ShellSession({ workingDir: '/' })
    await shell.output('set -o noclobber')
    const { unsaved } = await shell.run('cd /usr; x=1; f() { local -; set -f; exit; }; f')
    expect(unsaved).toBeUndefined()
    expect(await shell.output('echo "$PWD $x $-"; set +o | grep noclobber')).toMatch(
      /^\/usr 1 [^f\n]*\nset -o noclobber\n$/,
    )
  })

  test('keeps what was exported without a value and what was unset', async () => {
    const shell = new ShellSession()
    await shell.output('export e; unset HOME; f() { local HOME=/x; exit; }; f')
    expect(await shell.output(`declare -p e; echo "\${HOME-unset}"`)).toBe('declare -x e\nunset\n')
  })

  test('saves the same when set -e ends the shell there', async () => {
    const shell = new ShellSession()
    await shell.output('x=1')
    expect(await shell.run('f() { local x=2; set -e; y=3; false; }; f')).toMatchObject({ exitCode: 1 })
    expect(await shell.output('echo $x $y')).toBe('1 3\n')
  })
})

test('the exit trap does not hold up a shell that is terminated while a child runs', async () => {
  const shell = new ShellSession()
  const marker = uniqueSleep()
  const { signal } = await shell.run(`(sleep 0.2; kill -TERM $$) & sleep ${marker} >&- 2>&-; :`)
  expect(signal).toBe('SIGTERM')
})
