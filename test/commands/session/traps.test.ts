// The user's own traps: they do what they would do without a session.
import { spawnSync } from 'node:child_process'
import { removeTempDirs } from '../../support/temp-dir.js'
import { bashPath, ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

/** What the same bash makes of a command outside any session. */
const natively = (command: string) => {
  const { stdout, stderr, status, signal } = spawnSync(bashPath, ['--norc', '-c', '--', command], {
    argv0: 'bash',
    env: { PATH: process.env.PATH, HOME: '/', LANG: 'C.UTF-8' },
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { stdout, stderr, exitCode: status, signal }
}

describe('as without a session', () => {
  test.each([
    // Setting, replacing, resetting an EXIT trap
    `trap 'echo bye' EXIT; echo hi`,
    `trap 'echo one' EXIT; trap 'echo two' EXIT; exit 3`,
    `trap 'echo x' EXIT; trap - EXIT; trap -p; echo e`,
    `trap 'echo x' EXIT; trap EXIT; trap -p`,
    `trap 'echo x' EXIT; trap 0; trap -p`,
    `trap 'echo x' INT EXIT 0; trap -p; trap`,
    `trap 'echo x' exit; trap -p exit`,
    `trap '' EXIT; trap -p EXIT; echo k`,
    `trap -- 'echo dashes' EXIT`,
    `trap -p -- EXIT; trap 'echo x' 0; trap -p -- EXIT`,
    `f() { trap 'echo in-f' EXIT; }; f; echo after`,
    `trap 'trap - EXIT; echo once; exit 2' EXIT; exit 1`,
    // Listing
    `trap "it's" USR1; trap -p; trap -p USR1 EXIT`,
    `trap "echo \\"it's\\"" EXIT; trap -p EXIT`,
    `set +B; trap 'echo x' TERM EXIT; trap`,
    `old=$(trap -p EXIT); trap 'echo x' EXIT; now=$(trap); echo "[$old] [$now]"; eval "$now"`,
    'trap -l | head -1',
    // What it sees, and how it may end
    `trap 'echo $?; false; echo $?' EXIT; (exit 7)`,
    `trap 'exit 9' EXIT; exit 2`,
    `trap 'echo a; exit; echo b' EXIT; exit 5`,
    `cleanup() { local rc=$?; echo "clean $rc"; exit $rc; }; trap cleanup EXIT; exit 6`,
    `set -e; trap 'echo s=$?' EXIT; false; echo no`,
    `set -eu; trap 'echo s=$?; false; echo no' EXIT; exit 4`,
    `set -u; trap 'echo $nope; echo no' EXIT; exit 4`,
    `trap 'echo "$LINENO $BASH_SUBSHELL $0 $# $1" ' EXIT; set -- arg`,
    `trap 'echo "\${FUNCNAME[*]}"' EXIT; f() { g; }; g() { exit 7; }; f`,
    `f() { local t=local; trap 'echo t=$t' EXIT; exit 1; }; f`,
    `trap 'cat <<X\nheredoc $?\nX' EXIT; exit 3`,
    `trap 'echo x # comment' EXIT`,
    `trap 'echo x \\' EXIT; exit 2`,
    `trap 'echo out; echo err >&2' EXIT; exec >/dev/null`,
    `shopt -s expand_aliases; alias e=echo\ntrap 'e aliased' EXIT`,
    `trap 'echo bye' EXIT; : \${x?no}`,
    `trap 'echo bye' EXIT; (kill -TERM $$); sleep 5`,
    `trap 'echo bye' EXIT; exec true`,
    `trap 'exec echo replaced' EXIT; exit 4`,
    // In subshells
    `(trap 'echo sub' EXIT; echo in); echo out`,
    `trap 'echo main' EXIT; (echo in); (trap 'echo sub' EXIT; trap -p; echo in2); echo $(trap)`,
    `trap 'echo main' EXIT; (trap - EXIT; trap -p; echo in3)`,
    `trap 'echo main' INT; (trap 'echo x' TERM; trap -p)`,
    `trap 'echo main' EXIT; (trap 'echo sub' TERM; (trap -p; trap 'echo inner' EXIT); trap -p)`,
    `echo "$(trap 'echo q' EXIT; echo z)"; echo a | { trap 'echo piped' EXIT; cat; }`,
    `bash -c 'trap "echo nested" EXIT; trap -p'`,
    // Signals
    `trap 'echo t' TERM; kill -TERM $$; echo after`,
    `trap 'echo u; exit 3' USR1; trap 'echo bye' EXIT; kill -USR1 $$; echo after`,
    `trap '' TERM; kill -TERM $$; echo alive`,
    `trap 'echo x' SIGUSR1 usr2 15; trap -p; trap - USR1 12 TERM; trap -p`,
    `trap 1 2; echo $?; trap 15; trap`,
    // ERR, DEBUG, RETURN
    `trap 'echo err $?' ERR; false; (exit 3); true`,
    `trap 'echo err' ERR; false; trap - ERR; false; echo k`,
    `trap 'echo e1' ERR; trap 'echo e2' ERR; false; trap '' ERR; false`,
    `set -E; f() { false; }; trap 'echo e $?' ERR; f; true`,
    `f() { trap 'echo ret' RETURN; echo in; }; f; echo out`,
    `f() { trap 'echo ret; trap - RETURN' RETURN; echo in; }; f; g() { echo g; }; g; echo out`,
    `f() { local t=x; trap 'echo rm $t' RETURN; for i in 1 2; do echo $i; done; return 3; }; f; echo $?`,
    `trap 'echo ret' RETURN; . /dev/null; f() { :; }; f; echo end`,
    `trap 'echo dbg' DEBUG; echo 1; echo 2; trap - DEBUG; echo 3`,
    `trap 'echo dbg:$BASH_COMMAND' DEBUG; echo 1; for i in a; do :; done`,
    `shopt -s extdebug; trap '[[ $BASH_COMMAND != "echo no" ]]' DEBUG; echo yes; echo no; echo y2`,
    `trap 'echo e' ERR; trap 'echo d' DEBUG; trap 'echo r' RETURN; trap -p; trap -p ERR`,
    // Wrong use
    'trap foo; echo $?',
    'trap -; echo $?',
    `trap ''; echo $?`,
  ])('%s', async (command) => {
    const shell = new ShellSession({ workingDir: '/' })
    const { stdout, stderr, exitCode, signal } = await shell.run(command)
    expect({ stdout, stderr, exitCode, signal }).toEqual(natively(command))
  })
})

describe('an EXIT trap', () => {
  test('runs before the state is saved', async () => {
    const shell = new ShellSession()
    await shell.output(`trap 'x=trap; cd /usr' EXIT; x=command`)
    expect(await shell.output('echo $x $PWD')).toBe('trap /usr\n')
  })

  test.each([
    ['exit', `trap 'x=trap; exit 3' EXIT`],
    ['set -e', `set -e; trap 'false; x=trap' EXIT`],
    ['exec', `trap 'exec true' EXIT`],
  ])('that ends the shell by %s does not cost what the command left', async (_, trap) => {
    const shell = new ShellSession()
    await shell.output(`${trap}; x=command; f() { echo f; }`)
    expect(await shell.output('echo $x; f')).toBe('command\nf\n')
  })

  test('that bash cannot read does not cost it either', async () => {
    const shell = new ShellSession()
    const { exitCode, unsaved } = await shell.run(`x=command; trap 'echo "' EXIT; exit 3`)
    expect({ exitCode, unsaved }).toEqual({ exitCode: 3, unsaved: undefined })
    expect(await shell.output('echo $x')).toBe('command\n')
  })

  test('is seen by a function that exits, and local variables are not saved', async () => {
    const shell = new ShellSession()
    const command = `f() { local x=local; trap 'echo $x' EXIT; exit 2; }; x=global; f`
    const { stdout, exitCode } = natively(command)
    expect(await shell.run(command)).toMatchObject({ stdout, exitCode })
    expect(await shell.output('echo $x')).toBe('global\n')
  })

  test('is not carried over', async () => {
    const shell = new ShellSession()
    await shell.output(`trap 'echo bye' EXIT; trap '' USR1`)
    expect(await shell.output('trap -p; compgen -v __bashward')).toBe('__bashward\n')
  })
})

test('an error in a trap of the user names the signal', async () => {
  const shell = new ShellSession()
  const { stderr, stdout } = await shell.run(`trap x NOSUCH EXIT; echo $?; trap - EXIT`)
  expect(stderr).toMatch(/: trap: NOSUCH: invalid signal specification\n$/)
  expect(stdout).toBe('1\n')
})

test('the function trap is the builtin in a shell that it was carried to', async () => {
  const shell = new ShellSession()
  const { stdout } = await shell.run(
    `bash -c "$(declare -f trap); trap 'echo bye' EXIT; trap -p; trap 'echo e' ERR; false"`,
  )
  expect(stdout).toBe(`trap -- 'echo bye' EXIT\ne\nbye\n`)
})
