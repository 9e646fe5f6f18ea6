// What a line that speaks of a refusal names.
import {
  escapeTarget,
  hostIn,
  isPlain,
  pathsIn,
  processIn,
} from '../../../lib/guard/sandbox/denial-targets.js'

describe('pathsIn', () => {
  test.each<[line: string, ...paths: string[]]>([
    ["touch: cannot touch '/etc/x': Permission denied", '/etc/x'],
    ["touch: cannot touch 'a b': Permission denied", 'a b'],
    ['touch: cannot touch ‘new’: Permission denied', 'new'],
    ['touch: /etc/x: Permission denied', '/etc/x'],
    ['bash: line 1: /etc/x: Permission denied', '/etc/x'],
    ['bash: line 12: new: Permission denied', 'new'],
    ['bash: /etc/x: Permission denied', '/etc/x'],
    ['./build.sh: line 3: out/log: Permission denied', 'out/log'],
    ['sh: 1: cannot create /etc/x: Permission denied', '/etc/x'],
    ["mkdir: cannot create directory '/opt/a': Permission denied", '/opt/a'],
    ["mv: cannot move 'a' to '/etc/a': Permission denied", 'a', '/etc/a'],
    ["cp: cannot create regular file '/etc/x': Permission denied", '/etc/x'],
    ["chmod: changing permissions of '/etc/hosts': Operation not permitted", '/etc/hosts'],
    ["PermissionError: [Errno 13] Permission denied: '/etc/x'", '/etc/x'],
    ["PermissionError: [Errno 13] Permission denied: 'a' -> '/etc/b'", 'a', '/etc/b'],
    ["Error: EACCES: permission denied, open '/etc/x'", '/etc/x'],
    [
      "npm error Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/x'",
      '/usr/lib/node_modules/x',
    ],
    ['open /etc/x: permission denied', '/etc/x'],
    ['go: mkdir /opt/go/pkg: permission denied', '/opt/go/pkg'],
    ['error: failed to write `/etc/x`: Permission denied (os error 13)', '/etc/x'],
    ['java.io.FileNotFoundException: /etc/x (Permission denied)', '/etc/x'],
    ['java.nio.file.AccessDeniedException: /etc/x', '/etc/x'],
    ["-e:1:in `initialize': Permission denied @ rb_sysopen - /etc/x (Errno::EACCES)", '/etc/x'],
    ["fatal: Unable to create '/srv/r/.git/index.lock': Permission denied", '/srv/r/.git/index.lock'],
    ['error: could not lock config file /root/.gitconfig: Permission denied', '/root/.gitconfig'],
    ['tar: ../x: Cannot open: Permission denied', '../x'],
    ['/usr/bin/ld: cannot open output file /opt/x: Permission denied', '/opt/x'],
    ['Warning: Failed to open the file /etc/x: Permission denied', '/etc/x'],
    ["sort: cannot create temporary file in '/tmp': Permission denied", '/tmp'],
    ['cat: /root/.ssh/id: Permission denied', '/root/.ssh/id'],
    [
      'W: chown to _apt of directory /var/lib/apt/x failed - Setup (1: Operation not permitted)',
      '/var/lib/apt/x',
    ],
    ['Load key "/root/.ssh/id": Permission denied', '/root/.ssh/id'],
    ['Can\'t open "k.pem" for writing, Permission denied', 'k.pem'],
  ])('%s', (line, ...paths) => {
    expect(pathsIn(line)).toEqual(paths)
  })

  test.each([
    'unshare: unshare failed: Operation not permitted',
    'PermissionError: [Errno 13] Permission denied',
    'attempt to write a readonly database',
    'nice: cannot set niceness: Permission denied',
    "fatal: unable to access 'https://example.com/r.git/': Could not resolve host: example.com",
  ])('none: %s', (line) => {
    expect(pathsIn(line).filter((path) => path.startsWith('/'))).toEqual([])
  })
})

test.each([
  ['curl: (6) Could not resolve host: example.com', 'example.com'],
  ['wget: unable to resolve host address ‘example.com’', 'example.com'],
  ["wget: bad address 'example.com'", 'example.com'],
  ['Error: getaddrinfo ENOTFOUND example.com', 'example.com'],
  ['npm error errno EAI_AGAIN request to https://registry.example/x failed', 'registry.example'],
  ['dial tcp: lookup proxy.example.org: no such host', 'proxy.example.org'],
  ['dial tcp 93.184.216.34:443: socket: operation not permitted', '93.184.216.34:443'],
  [
    'curl: (7) Failed to connect to 127.0.0.1 port 8080 after 0 ms: Could not connect to server',
    '127.0.0.1:8080',
  ],
  ['ssh: connect to host example.com port 22: failure', 'example.com'],
  ['ssh: Could not resolve hostname example.com: Temporary failure in name resolution', 'example.com'],
  ["fatal: unable to access 'https://user@example.com/r.git/': Failed", 'example.com'],
  ['ping: example.com: Temporary failure in name resolution', 'example.com'],
  ["Temporary failure resolving 'deb.example.org'", 'deb.example.org'],
  ['urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>', ''],
])('the host of: %s', (line, host) => {
  expect(hostIn(line)).toBe(host)
})

test.each([
  ['bash: line 1: kill: (4711) - Operation not permitted', '4711'],
  ['init(1): Operation not permitted', '1'],
  ['/proc/812/mem: Permission denied', '812'],
  ['strace: attach: ptrace(PTRACE_SEIZE): Operation not permitted', ''],
])('the process of: %s', (line, pid) => {
  expect(processIn(line)).toBe(pid)
})

describe('escapeTarget', () => {
  test.each([
    ['/etc/x', '/etc/x'],
    ['/tmp/ä 日本 😀', '/tmp/ä 日本 😀'],
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\x1b[31m', '\\x1b[31m'],
    ['\0\x07\x7f\x9b', '\\x00\\x07\\x7f\\x9b'],
    ['evil\u202etxt.exe', 'evil\\u202etxt.exe'],
    ['\u2066a\u2069\u200f\u061c', '\\u2066a\\u2069\\u200f\\u061c'],
    ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('%j', (text, escaped) => {
    expect(escapeTarget(text)).toBe(escaped)
    expect(isPlain(text)).toBe(text === escaped)
  })

  test('cuts, and no character in half', () => {
    expect(escapeTarget('x'.repeat(5000))).toHaveLength(4096)
    expect(escapeTarget('\n'.repeat(5000))).toHaveLength(4096)
    expect(escapeTarget(`${'x'.repeat(4095)}😀`)).toBe('x'.repeat(4095))
  })
})

test.each([
  ['blanks', ' '],
  ['quotes', "'"],
  ['colons', ': '],
  ['slashes', '/'],
  ['beginnings', 'cannot open file '],
  ['errors', ': permission denied'],
])('a long line of %s takes no time', (_, piece) => {
  const start = process.cpuUsage()
  const line = piece.repeat(100_000)
  pathsIn(line)
  hostIn(line)
  processIn(line)
  const { user } = process.cpuUsage(start)

  expect(user).toBeLessThan(1_000_000)
})
