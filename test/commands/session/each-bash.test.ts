// Where versions of bash differ. `npm run test:bashes` runs this with each of them.
import { spawnSync } from 'node:child_process'
import { removeTempDirs } from '../../support/temp-dir.js'
import { bashPath, ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

test.each([
  ['an empty line within a value', `msg=$'a\\n\\nb'`, `printf %s "$msg"`, 'a\n\nb'],
  ['IFS as it was', 'OLD=$IFS; IFS=$OLD', `printf %q "$OLD$IFS"`, `$' \\t\\n \\t\\n'`],
  ['IFS that is a newline', `IFS=$'\\n'`, `printf %q "$IFS"`, `$'\\n'`],
  ['a newline alone', `nl=$'\\n'`, `printf %q "$nl"`, `$'\\n'`],
  [
    'a value like a declaration',
    `a=$'x\\ndeclare -- b="1"\\n'`,
    `printf %s "$a\${b-unset}"`,
    'x\ndeclare -- b="1"\nunset',
  ],
  ['an array with newlines', `a=($'\\n' $'x\\ny"')`, `printf '[%s]' "\${a[@]}"`, '[\n][x\ny"]'],
  [
    'a value with bytes that bash uses itself',
    `a=$'\\001\\001\\177'`,
    `printf %q "$a"`,
    `$'\\001\\001\\177'`,
  ],
  ['an array with bytes that bash uses itself', `a=($'\\001\\177')`, `printf %q "$a"`, `$'\\001\\177'`],
  [
    'values of keys with such bytes',
    `declare -Ax a; a[k]=$'\\001\\001'`,
    'declare -p a',
    `declare -Ax a=([k]=$'\\001\\001' )\n`,
  ],
  ['keys with newlines', `declare -A a=([$'\\n']=1)`, `printf '[%s]' "\${!a[@]}"`, '[\n]'],
  ['an exported variable with newlines', `export a=$'x\\n\\ny'`, 'printenv a', 'x\n\ny\n'],
  ['an alias with empty lines', `alias a=$'x\\n\\ny'`, 'alias -p', `alias a='x\n\ny'\n`],
])('%s is kept, and so is the directory', async (_, set, show, expected) => {
  const shell = new ShellSession({ workingDir: '/' })
  await shell.output(`cd /usr; ${set}`)
  await shell.output(':')
  expect(await shell.output(show)).toBe(expected)
  expect(shell.session.workingDir).toBe('/usr')
})

test('a variable of the host that has newlines is none of the session', async () => {
  const env = { TEXT: 'x\n\ndeclare -- y="1"\n' }
  const shell = new ShellSession({ workingDir: '/' })
  await shell.output('cd /usr', { env })
  expect(await shell.output('echo "${TEXT-unset} $PWD"')).toBe('unset /usr\n')
})

test('the session runs in the bash under test', async () => {
  const version = spawnSync(bashPath, ['-c', 'echo "$BASH_VERSION"'], { encoding: 'utf8' }).stdout
  expect(await new ShellSession().output('echo "$BASH_VERSION"')).toBe(version)
})

test('errexit in a function keeps what was done before', async () => {
  const shell = new ShellSession({ workingDir: '/' })
  expect(await shell.run('set -e; cd /usr; build() { false; }; build')).toMatchObject({
    exitCode: 1,
    unsaved: undefined,
  })
  expect(await shell.output('pwd; type -t build')).toBe('/usr\nfunction\n')
})

test.each([
  `f() { local IFS=,; false; }; f`,
  `split() { local IFS=$'\\n'; ls /nope; }; main() { split; }; main`,
  'f() { false; }; IFS=, f',
  'f() { local IFS=, PATH=/bin OPTIND=1 LC_ALL=C TZ=UTC GLOBIGNORE=x HOME=/x; false; }; f a b',
  `trap 'echo "$*"' EXIT; f() { local IFS=,; false; }; f a b`,
])('errexit in a function with separators of its own: %s', async (command) => {
  const shell = new ShellSession()
  const { exitCode, signal, unsaved } = await shell.run(`set -- 1 2; g() { :; }; x=1; set -e; ${command}`)
  expect({ exitCode: exitCode === 0, signal, unsaved }).toEqual({
    exitCode: false,
    signal: null,
    unsaved: undefined,
  })
  expect(await shell.output('echo "$x ${IFS@Q}"; type -t g')).toBe("1 $' \\t\\n'\nfunction\n")
})

describe('exec', () => {
  test.each([
    ['of a program that is not there', 'exec nosuch', 127],
    ['of one that is not there, after a success and with a redirection', 'true; exec nosuch 3>&1', 127],
    ['of one that is not there, in a function', 'f() { exec nosuch; }; f', 127],
    ['of one that is not there, by command', 'command exec nosuch', 127],
    ['of one that may not be executed', 'exec /etc/passwd', 126],
    ['of one that is not there, with an EXIT trap', `trap 'echo "$?" >/dev/null' EXIT; exec nosuch`, 127],
    ['of redirections alone', 'exec 3>&1', 0],
    ['of redirections alone, in other forms', 'exec {fd}>&1 2>/dev/null', 0],
    ['in a subshell', '(exec nosuch) || :', 0],
  ])('%s ends with its status', async (_, command, exitCode) => {
    const shell = new ShellSession()
    expect(await shell.run(command)).toMatchObject({ exitCode })
  })
})

test('what is wrong with a trap is said of the caller', async () => {
  const shell = new ShellSession()
  const { stderr } = await shell.run('trap x FOO')
  expect(stderr).toMatch(/^bash: line [01]: trap: FOO: invalid signal specification\n$/)
})
