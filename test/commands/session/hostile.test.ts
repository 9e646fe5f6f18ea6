// Commands that do their worst to the shell: the next call works, with whatever could be saved.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

describe('the state is saved, and the command prints what it would print anyway', () => {
  test.each([
    ['PATH=', ''],
    ['unset PATH', ''],
    ['IFS=abcdefghijklmnopqrstuvwxyz0123456789-_/', ''],
    ['unset IFS', ''],
    ['readonly IFS', ''],
    ['set -eu', ''],
    ['set -euf -o noclobber', ''],
    ['set -a', ''],
    ['set -k', ''],
    ['set -P; cd /proc/self/cwd/', ''],
    ['shopt -s extglob nocasematch failglob nullglob nocaseglob globstar', ''],
    ['shopt -s xpg_echo', ''],
    ['shopt -s localvar_unset localvar_inherit', ''],
    ['POSIXLY_CORRECT=1', ''],
    ['set -o posix', ''],
    ['GLOBIGNORE=*', ''],
    ['LC_ALL=C', ''],
    ['LC_ALL=tr_TR.UTF-8 2>/dev/null', ''],
    ['FUNCNEST=3', ''],
    ['TMOUT=1', ''],
    ['exec >/dev/null', ''],
    ['exec >&-', ''],
    ['exec 2>&-', ''],
    ['exec <&- >&- 2>&-', ''],
    ['exec 3>&1 200>/dev/null', ''],
    ['unset BASH_ENV BASHPID BASH_SUBSHELL FUNCNAME PWD', ''],
    ['PWD=/nonsense', ''],
    ['BASH_XTRACEFD=1', ''],
    ['HISTFILE=/dev/null; set -o history', ''],
    ['set -m', ''],
    ['umask 777', ''],
    ['ulimit -n 20', ''],
    ['trap "echo d" DEBUG; trap - DEBUG', 'd\n'],
    ['trap "false" ERR', ''],
    ['trap "" XFSZ PIPE', ''],
    ['set -T; trap ":" DEBUG; trap ":" RETURN', ''],
    ['shopt -s extdebug; trap ":" DEBUG', ''],
    ['while builtin popd; do :; done 2>/dev/null; pushd / >/dev/null', ''],
    ['hash -p /nosuch printf; hash -r', ''],
    ['BASH_COMMAND=x; _=y; LINENO=5; DIRSTACK=(a b)', ''],
    ['__bashward=x', ''],
    ['declare -g __bashward_EXIT="echo no"', ''],
  ])('%s', async (command, stdout) => {
    const shell = new ShellSession()
    expect(await shell.run(`x=saved; f() { :; }; ${command}`)).toMatchObject({ stdout, unsaved: undefined })
    expect(await shell.run('echo "$x"; x=again')).toMatchObject({ stdout: 'saved\n', unsaved: undefined })
    expect(await shell.run('echo "$x"')).toMatchObject({ stdout: 'again\n', unsaved: undefined })
  })
})

describe('the next call works, whatever became of the state', () => {
  test.each([
    'for fd in /proc/self/fd/*; do echo garbage >"$fd"; done 2>/dev/null',
    `trap '' PIPE; for fd in {0..255}; do echo garbage >&$fd; done 2>/dev/null`,
    'for fd in {0..255}; do head -c 5000 /dev/urandom >&$fd; done 2>/dev/null',
    'for fd in {3..255}; do eval "exec $fd>&-"; done',
    '(while :; do echo garbage >/dev/fd/201; done) 2>/dev/null & sleep 0.05; trap "kill $!" EXIT',
    ': >/dev/fd/201',
    'ulimit -f 0',
    'ulimit -n 3',
    'set -r',
    'declare -r POSIXLY_CORRECT=1',
    'unset -f __bashward_save',
    '__bashward_save() { echo no; }',
    'enable -n builtin',
    'enable -n printf declare mapfile',
    'exec 201>&-',
  ])('%s', async (command) => {
    const shell = new ShellSession()
    await shell.output('x=before')
    await shell.run(`x=after; ${command}`)
    expect(await shell.output('echo "$x"; y=1')).toMatch(/^(before|after)\n$/)
    expect(await shell.output('echo $y')).toBe('1\n')
  })
})

test('garbage written through the inherited descriptor has no effect when it is open for reading only', async () => {
  const shell = new ShellSession()
  const { unsaved } = await shell.run(
    `x=after; trap '' PIPE; for fd in {3..255}; do echo garbage >&$fd; done 2>/dev/null`,
  )
  expect(unsaved).toBeUndefined()
  expect(await shell.output('echo $x')).toBe('after\n')
})

test('a file that the command has put in the place of the state file is left alone', async () => {
  const file = join(tempDir(), 'precious')
  writeFileSync(file, 'content\n')
  const shell = new ShellSession()
  const { unsaved } = await shell.run(`exec 201>>'${file}'; x=1; trap 'x=2' EXIT`)
  expect(unsaved).toBeDefined()
  expect(readFileSync(file, 'utf8')).toBe('content\n')
})

test('a command that prints its own environment, functions and descriptors shows no state of other calls', async () => {
  const shell = new ShellSession()
  await shell.output('secret=hidden')
  await shell.output('unset secret')
  expect(await shell.output('set; declare -f; cat /dev/fd/201')).not.toContain('hidden')
})

test('300 variables, 100 functions and 100 aliases at once', async () => {
  const shell = new ShellSession()
  await shell.output(
    'for i in {1..300}; do declare "v$i=$i"; done; for i in {1..100}; do eval "f$i() { echo $i; }"; alias a$i=$i; done',
  )
  await shell.output(':')
  expect(await shell.output('echo $v1 $v300; f1; f100; alias | wc -l; compgen -A function | wc -l')).toBe(
    '1 300\n1\n100\n100\n103\n',
  )
})
