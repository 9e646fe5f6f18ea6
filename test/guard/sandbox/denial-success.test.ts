// What a command that succeeded has printed: a pipe, `|| true` or a further command hid that the sandbox refused
// something; or it has only read of such a refusal.
import { probableCause } from './probable-cause.js'

const files = 'files are read-only in Restricted mode'
const network = 'network is blocked in Restricted mode'
const hereDocument =
  'here-documents and here-strings of more than 64 KiB do not work in Restricted mode; pipe the text instead'
const sort = 'sort cannot use temporary files in Restricted mode; give it more memory, as with sort -S 1G'

const refused: [command: string, output: string, cause: string][] = [
  [
    'cat <<< "$(cat big)" | wc -c',
    'bash: line 1: cannot create temp file for here-document: Permission denied\n0\n',
    hereDocument,
  ],
  ['sort -S 5M big | wc -l', "sort: cannot create temporary file in '/tmp': Permission denied\n0\n", sort],
  [
    '/usr/bin/sort big | head',
    "/usr/bin/sort: cannot create temporary file in '/tmp': Permission denied\n",
    sort,
  ],
  [
    'join <(sort a) <(sort b) | wc -l',
    "sort: sort: cannot create temporary file in '/tmp': Permission denied\ncannot create temporary file in '/tmp': Permission denied\n0\n",
    sort,
  ],
  [
    'seq 9 | tac | head -3',
    "tac: failed to create temporary file in '/tmp': Permission denied\n",
    "tac cannot use temporary files in Restricted mode, so it reads no pipe; use perl -e 'print reverse <>'",
  ],
  ['curl https://example.com | head -1', 'curl: (6) Could not resolve host: example.com\n', network],
  ['git ls-remote x | head', "fatal: unable to access 'x': Could not resolve host: example.com\n", network],
  [
    'pytest 2>&1 | tail -1',
    "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp']\n",
    files,
  ],
  ['echo x >new || true', 'bash: line 1: new: Permission denied\n', files],
  ['for f in a b; do echo x >"$f"; done; ls', 'bash: line 1: b: Permission denied\nc\n', files],
  ['mkdir d; ls | wc -l', 'mkdir: cannot create directory ‘d’: Permission denied\n3\n', files],
  ['find . -name x -exec rm {} +; true', "rm: cannot remove './x': Permission denied\n", files],
  ['tar czf x.tgz src | cat', 'tar (child): x.tgz: Cannot open: Permission denied\n', files],
  ["sh -c 'touch x'; true", "touch: cannot touch 'x': Permission denied\n", files],
  ['make write; true', '/bin/sh: 1: cannot create out: Permission denied\n', files],
  ['./build.sh | tail -3', './build.sh: line 3: out/a: Permission denied\nbuilt 2 of 3\nsee above\n', files],
  [
    'node build.js; true',
    "Error: EACCES: permission denied, open 'x'\n    at Object.open (node:fs)\n",
    files,
  ],
  ['python3 a.py; true', "PermissionError: [Errno 13] Permission denied: 'x'\n", files],
  [
    "python3 -c 'import os; os.openpty()' 2>&1 | tail -1",
    'PermissionError: [Errno 13] Permission denied\n',
    'devices and terminals are out of reach in Restricted mode',
  ],
  [
    'grep -c x /proc/1/maps || true',
    'grep: /proc/1/maps: Permission denied\n',
    'processes outside the command cannot be inspected or changed in Restricted mode',
  ],
  [
    'kill 2; true',
    'bash: line 1: kill: (2) - Operation not permitted\n',
    'processes outside the command cannot be signalled in Restricted mode',
  ],
]

const log = [
  '2026-01-01 12:00:01 ERROR open /var/lib/x: Permission denied',
  'bash: line 1: new: Permission denied',
  'bash: line 1: cannot create temp file for here-document: Permission denied',
  'curl: (6) Could not resolve host: example.com',
  'mkdir: cannot create directory ‘d’: Permission denied',
  "PermissionError: [Errno 13] Permission denied: 'new'",
  'Error: getaddrinfo EAI_AGAIN example.com',
  "fatal: unable to access 'https://x/': Could not resolve host: x",
  '',
].join('\n')

const readsLog = [
  'cat build.log',
  'tail -n 20 build.log | head -9',
  'sed -n 1,9p build.log',
  "awk '/denied/ || /resolve/' build.log >&2",
  'grep -h . *.log 2>/dev/null',
  'rg --no-filename . | sort -u',
  'less build.log',
  'git show HEAD:build.log',
  'git -C repo -c color.ui=never show HEAD:build.log',
  'find . -name "*.log" -exec cat {} +',
  'find . -name "*.log" | xargs -n 1 timeout 5 cat',
  'while read -r line; do echo "$line"; done < build.log',
  'cd logs && cat build.log && cd -',
  'if [ -s build.log ]; then cat -- build.log; fi',
  "LC_ALL=C cat 'build.log'",
  "sh -c 'cat build.log'",
  'show() { cat "$1"; }; show build.log',
  'tail -f build.log & sleep 1; kill %1',
  'man 2 open; cp a b; cat build.log',
]

const mentions: [command: string, output: string][] = [
  ['echo "touch: cannot touch \'x\': Permission denied"', "touch: cannot touch 'x': Permission denied\n"],
  ['cat <<X\nmkdir: d: Permission denied\nX', 'mkdir: d: Permission denied\n'],
  ['./says.sh', 'Permission denied\n'],
  ['python3 -m errors', '13 Permission denied\n'],
  ['npm test', '  ✓ a: permission denied\n  ✓ throws "EACCES: permission denied"\nok 3 - x: EPERM: no\n'],
  ['make log', '2026-01-01 12:00:01 ERROR open /var/lib/x: Permission denied\n'],
  ['journal | tail', 'Jan  1 12:00:00 host sshd[7]: error: PAM: Permission denied\n'],
  ['git log -p', '+mkdir: cannot create directory ‘d’: Permission denied\n'],
  ['./data.csv || echo cannot', 'bash: line 1: ./data.csv: Permission denied\ncannot\n'],
  ['cat </root/x; true', 'bash: line 1: /root/x: Permission denied\n'],
  ['find / -name x | head', 'find: ‘/proc/1/task/1/fd’: Permission denied\n'],
  ['du -s /* | tail -1', "du: cannot read directory '/proc/1/fd': Permission denied\n"],
  ['node errors.js', 'EACCES\n'],
  ['ls /root; true', "ls: cannot open directory '/root': Permission denied\n"],
]

describe('probableCause of a success', () => {
  test.each(refused)('`%s` met it', (command, output, cause) => {
    expect(probableCause(output, 0, command)).toBe(cause)
  })

  test.each(readsLog)('`%s` only read of it', (command) => {
    expect(probableCause(log, 0, command)).toBeUndefined()
  })

  test.each(mentions)('`%s` only speaks of it', (command, output) => {
    expect(probableCause(output, 0, command)).toBeUndefined()
  })

  test('what a failed command has read it has not met, either', () => {
    expect(probableCause(`${log}ls: cannot access 'x'\n`, 2, 'cat build.log; ls x')).toBeUndefined()
  })

  test('it is found at the beginning and at the end of a flood', () => {
    const line = 'mkdir: cannot create directory ‘d’: Permission denied\n'
    const flood = 'x\n'.repeat(500_000)

    expect(probableCause(line + flood, 0, 'mkdir d; yes x')).toBe(files)
    expect(probableCause(flood + line, 0, 'yes x; mkdir d')).toBe(files)
  })

  test('a command that cannot be parsed may have run anything', () => {
    const line = 'mkdir: cannot create directory ‘d’: Permission denied\n'

    expect(probableCause(line, 0, `cat x; ${'echo y; '.repeat(10_000)}`)).toBe(files)
    expect(probableCause(line, 0, 'cat x; if')).toBe(files)
  })
})
