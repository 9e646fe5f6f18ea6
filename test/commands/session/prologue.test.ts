// What a command of a session finds: a shell as if it had just started.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrologue } from '../../../lib/commands/session/prologue.js'
import { freshState } from '../../../lib/commands/session/state.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashPath, ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const natively = (command: string): string =>
  spawnSync(bashPath, ['--norc', '-c', '--', command], {
    argv0: 'bash',
    env: { PATH: process.env.PATH, HOME: '/', LANG: 'C.UTF-8' },
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).stdout

/** Makes a session in which there is something of everything to restore. */
const usedSession = async (): Promise<ShellSession> => {
  const shell = new ShellSession({ workingDir: '/' })
  await shell.output(
    'x=1; f() { :; }; alias l=ls; shopt -s extglob; export y=2; a=(1 2); declare -A m=([k]=v)',
  )
  return shell
}

test.each([
  'echo "$?"',
  'echo "$_"',
  'echo "$LINENO"',
  'echo "$0 $# $-"',
  'echo "$BASH_SUBSHELL $SHLVL"',
  `echo "\${BASH_SOURCE[*]} \${BASH_LINENO[*]} \${FUNCNAME[*]}"`,
  `echo "\${!} \${BASH_COMMAND}"`,
  `echo "\${BASH_ENV-unset}"; env | grep -c BASH_ENV`,
  'jobs; hash; times | wc -l',
  'echo "$OLDPWD|$OPTIND|$IFS|$PS4"',
  'trap -p',
  'ulimit -a; umask',
  'shopt -s; set +o | grep -v history',
  'readonly -p | grep -cv BASH',
  'read x; echo $?',
  '[[ -t 0 || -t 1 ]] || echo none',
  'for fd in 10 11 12 200 254 255; do [[ -e /dev/fd/$fd ]] && echo $fd; done',
])('as in a new shell: %s', async (command) => {
  const shell = new ShellSession({ workingDir: '/' })
  expect((await shell.run(command)).stdout).toBe(natively(command))
})

test.each(['echo "$?"', 'echo "$_"', 'echo "$LINENO"', 'echo "$0 $# $-"', `echo "\${BASH_ENV-unset}"`])(
  'as in a new shell, also when there is much to restore: %s',
  async (command) => {
    const shell = await usedSession()
    expect(await shell.output(command)).toBe(natively(command))
  },
)

test('nothing is printed, whatever there is to restore', async () => {
  const shell = await usedSession()
  await shell.run('LC_ALL=xx_XX.nonsense; CDPATH=/usr; PS4=$(echo); HISTFILE=/nonexistent')
  expect(await shell.run(':')).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
})

test('nested shells have no part in the session', async () => {
  const shell = new ShellSession()
  await shell.output(`bash -c 'x=nested; cd /; trap "echo bye" EXIT' >/dev/null; sh -c 'x=sh'`)
  expect(await shell.output(`echo "\${x-unset}"; bash -c 'type -t trap; echo "\${__bashward-unset}"'`)).toBe(
    'unset\nbuiltin\nunset\n',
  )
})

test('a limit on file sizes does not keep a command from running', async () => {
  const shell = new ShellSession()
  const { stdout, exitCode } = await shell.run('ulimit -f 0; x=1; echo yes')
  expect({ stdout, exitCode }).toEqual({ stdout: 'yes\n', exitCode: 0 })
})

test('commands of every form run unchanged', async () => {
  for (const command of [
    `cat <<'X'\n'$y" \\\nX`,
    'echo a # comment',
    'echo a \\',
    `echo "$BASH_EXECUTION_STRING"`,
    '-x 2>/dev/null; echo $?',
    'echo a; }',
    '',
    '\n\n',
    'cat <<X\nunterminated',
  ]) {
    const shell = new ShellSession({ workingDir: '/' })
    expect((await shell.run(command)).stdout).toBe(natively(command))
  }
})

test('thousands of variables do not overflow the stack of bash', () => {
  const prologue = join(tempDir(), 'prologue')
  const names = Array.from({ length: 5000 }, (_, index) => `v${index}`)
  const variables = new Map(names.map((name) => [name, `declare ${name}=1\n`]))
  writeFileSync(
    prologue,
    buildPrologue({ ...freshState, variables }, '/', { nonce: 'ab'.repeat(12), secret: 'cd'.repeat(12) }),
    'latin1',
  )
  const { stdout, signal } = spawnSync(
    bashPath,
    [
      '--norc',
      '-c',
      `ulimit -s 512; exec 200<"$1" 201</dev/null; BASH_ENV=/dev/fd/200 "$2" --norc -c 'echo $v4999'; :`,
      'bash',
      prologue,
      bashPath,
    ],
    { cwd: '/', encoding: 'utf8' },
  )

  expect({ stdout, signal }).toEqual({ stdout: '1\n', signal: null })
})
