// What bash says when it cannot execute a command, told from what commands say.
import { shellError } from '../../lib/tools/exec-shell-error.js'

describe('exit code 127', () => {
  test.each([
    ['bash: line 1: foo: command not found\n', 'command not found: foo'],
    ['bash: foo: command not found\n', 'command not found: foo'],
    ['bash: line 12: foo: command not found', 'command not found: foo'],
    ['environment: line 1: foo: command not found\n', 'command not found: foo'],
    ['bash: line 1: exec: foo: not found\n', 'command not found: foo'],
    ['bash: line 1: ./foo: No such file or directory\n', 'command not found: ./foo'],
    ['bash: line 1: : command not found\n', 'command not found: '],
    ['bash: line 1: a: b: command not found\n', 'command not found: a: b'],
    ["bash: line 2: $'a\\nb': command not found\n", "command not found: $'a\\nb'"],
    [
      'bash: line 1: ./x: cannot execute: required file not found\n',
      'command cannot be executed: ./x: required file not found',
    ],
    ['some output\nbash: line 2: foo: command not found\n', 'command not found: foo'],
  ])('%j is an error: %s', (stderr, error) => {
    expect(shellError(127, '', stderr)).toBe(error)
  })

  test.each([
    [''],
    ['\n'],
    ['./script.sh: line 1: foo: command not found\n'],
    ["env: 'foo': No such file or directory\n"],
    ['sh: 1: foo: not found\n'],
    ['my-bash: line 1: foo: command not found\n'],
    ['command not found\n'],
    ['bash: line 1: x: unbound variable\n'],
    ['bash: line 1: x: parameter null or not set\n'],
    ['bash: line 1: wait: pid 99999 is not a child of this shell\n'],
    ['bash: line 1: foo: command not found\ngoing on\n'],
    ['bash: line 1: foo: command not found\n\n'],
    ['bash: line 1: foo: command no... (truncated)'],
  ])('%j is a failure of the command', (stderr) => {
    expect(shellError(127, '', stderr)).toBeUndefined()
  })

  test('the message is found in stdout after a 2>&1', () => {
    expect(shellError(127, 'bash: line 1: foo: command not found\n', '')).toBe('command not found: foo')
  })

  test('that of stderr is taken first', () => {
    const [stdout, stderr] = ['bash: line 1: a: command not found\n', 'bash: line 2: b: command not found\n']

    expect(shellError(127, stdout, stderr)).toBe('command not found: b')
  })
})

describe('exit code 126', () => {
  test.each([
    ['bash: line 1: ./foo: Permission denied\n', 'permission denied: ./foo'],
    ['bash: line 1: exec: /x/foo: cannot execute: Permission denied\n', 'permission denied: /x/foo'],
    ['bash: line 1: /tmp: Is a directory\n', 'command cannot be executed: /tmp: Is a directory'],
    [
      'bash: line 1: /bin/echo: Argument list too long\n',
      'command cannot be executed: /bin/echo: Argument list too long',
    ],
    [
      'bash: line 1: ./x: cannot execute binary file: Exec format error\n',
      'command cannot be executed: ./x: cannot execute binary file: Exec format error',
    ],
  ])('%j is an error: %s', (stderr, error) => {
    expect(shellError(126, '', stderr)).toBe(error)
  })

  test.each([
    [''],
    ['cat: /etc/shadow: Permission denied\n'],
    ['./script.sh: line 1: ./x: Permission denied\n'],
  ])('%j is a failure of the command', (stderr) => {
    expect(shellError(126, '', stderr)).toBeUndefined()
  })
})

describe('other exit codes', () => {
  test.each([
    [254, 'bash: fork: Resource temporarily unavailable'],
    [254, 'bash: fork: Cannot allocate memory'],
    [129, 'bash: pipe error: Too many open files'],
    [1, 'bash: line 1: cannot make pipe for command substitution: Too many open files'],
    [2, 'bash: xrealloc: cannot allocate 26173440 bytes'],
    [2, 'bash: xmalloc: locale.c:81: cannot allocate 2 bytes (0 bytes allocated)'],
  ])('%i and %j: resources are exhausted', (exitCode, line) => {
    const message = line.replace(/^bash: (line 1: )?/, '')

    expect(shellError(exitCode, '', `${line}\n`)).toBe(`system resources unavailable: ${message}`)
  })

  test.each([
    [1, 'bash: line 1: cd: /nonexistent: No such file or directory\n'],
    [1, 'bash: line 1: /etc/shadow: Permission denied\n'],
    [1, 'bash: line 1: foo: command not found\n'],
    [2, "bash: -c: line 1: syntax error near unexpected token `then'\n"],
    [1, 'bash: fork: retry: Resource temporarily unavailable\n'],
  ])('%i and %j is a failure of the command', (exitCode, stderr) => {
    expect(shellError(exitCode, '', stderr)).toBeUndefined()
  })
})

test('one line of a megabyte is looked through quickly', () => {
  const line = `bash: ${': '.repeat(500_000)}`

  expect(shellError(127, line, line)).toBeUndefined()
})
