// Which output and exit status counts as a refusal of the sandbox, and which does not.
import { probableCause } from './probable-cause.js'

const network = 'network is blocked in Restricted mode'
const files = 'files are read-only in Restricted mode'

type Messages = [program: string, exitCode: number, output: string][]

const ordinary: Messages = [
  ['a search without line numbers', 1, '  expect(code).toBe("EPERM")\n'],
  ['nothing', 1, ''],
  ['an ordinary failure', 2, 'make: *** [Makefile:2: all] Error 1\n'],
  ['cat', 1, 'cat: /etc/shadow: Permission denied\n'],
  ['cat in a script', 1, 'script.sh: line 3: cd: /root: Permission denied\n'],
  ['head', 1, "head: cannot open '/etc/shadow' for reading: Permission denied\n"],
  ['cp', 1, "cp: cannot open '/etc/shadow' for reading: Permission denied\n"],
  ['ls', 2, "ls: cannot open directory '/root': Permission denied\n"],
  ['stat', 1, "stat: cannot statx '/root/x': Permission denied\n"],
  ['find', 1, 'find: ‘/root’: Permission denied\n'],
  ['du', 1, "du: cannot read directory '/root': Permission denied\n"],
  ['grep', 2, 'grep: /etc/shadow: Permission denied\n'],
  ['rg', 2, 'rg: /root: Permission denied (os error 13)\n'],
  ['sed', 2, "sed: can't read /etc/shadow: Permission denied\n"],
  ['awk', 2, 'awk: cannot open /etc/shadow (Permission denied)\n'],
  ['jq', 2, 'jq: error: Could not open /etc/shadow: Permission denied\n'],
  ['cd', 1, 'bash: line 1: cd: /root: Permission denied\n'],
  ['bash with a script', 126, 'bash: /root/x: Permission denied\n'],
  ['python with a script', 2, "python3: can't open file '/root/x.py': [Errno 13] Permission denied\n"],
  [
    'git with a configuration',
    1,
    "warning: unable to access '/root/.config/git/attributes': Permission denied\n",
  ],
  ['executing what is not executable', 126, 'bash: line 1: ./f: Permission denied\n'],
  [
    'executing it from a makefile',
    2,
    'make: ./f: Permission denied\nmake: *** [Makefile:2: all] Error 127\n',
  ],
  [
    'executing it from node',
    1,
    "Error: spawn ./f EACCES\n    at ChildProcess._handle.onexit (node:internal/child_process:285:19) {\n  errno: -13,\n  code: 'EACCES',\n  syscall: 'spawn ./f'\n}\n",
  ],
  [
    'forking in node',
    1,
    'Error: spawn EACCES\n    at ChildProcess.spawn (node:internal/child_process:421:11)\n',
  ],
  ['a process that is not there', 1, 'bash: line 1: kill: (99999999) - No such process\n'],
  ['a module that is not there', 1, '✘ [ERROR] Could not resolve "react"\n'],
  [
    'dependencies that do not fit',
    1,
    'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\n',
  ],
  ['a database', 3, 'ERROR:  permission denied for table users\n'],
  ['a key that is not accepted', 128, 'git@example.com: Permission denied (publickey).\n'],
  ['an assertion', 1, 'expected "allowed", received "denied"\n'],
]

describe('probableCause', () => {
  test.each(ordinary)('not the sandbox: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBeUndefined()
  })

  test('what a search has found is not what it met', () => {
    const log = './var/app.log:12:open /x: Permission denied\n'

    expect(probableCause(log, 1, 'grep -rn denied var; grep -q nothing x')).toBeUndefined()
    expect(
      probableCause("./build.rb:1:in 'initialize': Permission denied @ rb_sysopen - x\n", 1, 'ruby build.rb'),
    ).toBe(files)
  })

  test('a command that was killed meanwhile may have been refused something before', () => {
    expect(probableCause('curl: (6) Could not resolve host: example.com\n', null)).toBe(network)
  })

  test('of several causes it is the last one, and a plain one only where there is no better', () => {
    const write = 'bash: line 1: new: Permission denied\n'
    const fetch = 'curl: (6) Could not resolve host: example.com\n'
    const mount = 'unshare: unshare failed: Operation not permitted\n'

    expect(probableCause(write + fetch, 6)).toBe(network)
    expect(probableCause(fetch + write, 1)).toBe(files)
    expect(probableCause(write + mount, 1)).toBe(files)
  })

  test.each([
    ['curl -s https://example.com', 6],
    ['set -o pipefail; curl -sf http://127.0.0.1:8080 | jq .', 7],
    ['wget -q -O- http://127.0.0.1', 4],
  ])('`%s` that says nothing of it says it by exit status %d', (command, exitCode) => {
    expect(probableCause('', exitCode, command)).toBe(network)
    expect(probableCause('what was printed before\n', exitCode, command)).toBe(network)
    expect(probableCause('', exitCode, 'make test')).toBeUndefined()
    expect(probableCause('', 1, command)).toBeUndefined()
  })
})

describe('hostile output of 128 KiB', () => {
  const size = 128 * 1024
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size)

  test.each([
    ['one line of blanks', fill(' ')],
    ['one line of a word', fill('a')],
    ['one line of beginnings of messages', fill('socket kill chmod permission denied ')],
    ['one line of beginnings of addresses', fill('Failed to connect to x')],
    ['one line of brackets', fill('[Errno 1] operation not permitted (')],
    ['one line of colons', fill('cat: line 1: EPERM: ')],
    ['one line of numbers', fill('/proc/1234567890')],
    ['lines that are nearly python', fill('PermissionError: [Errno 1] x\n')],
    ['lines that are nothing but refused', fill('x: Operation not permitted\n')],
    ['lines of a character', fill('x\n')],
  ])('%s takes no time', (_, output) => {
    const start = process.cpuUsage()
    probableCause(output, 1)
    const { user } = process.cpuUsage(start)

    expect(user).toBeLessThan(2_000_000)
  })
})
