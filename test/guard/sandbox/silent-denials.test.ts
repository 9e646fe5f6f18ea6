// Refusals that show only in the text of a command and its exit status.
import { probableCause } from './probable-cause.js'

const network = 'network is blocked in Restricted mode'
const files = 'files are read-only in Restricted mode'
const sort = 'sort cannot use temporary files in Restricted mode; give it more memory, as with sort -S 1G'
const tac =
  "tac cannot use temporary files in Restricted mode, so it reads no pipe; use perl -e 'print reverse <>'"

const silent: [command: string, exitCode: number, output: string, cause: string][] = [
  ['curl -s http://127.0.0.1:3000 | head -1', 0, '', network],
  ['curl -fsL https://example.com/x.tgz | tar tz', 2, 'gzip: stdin: unexpected end of file\n', network],
  ['x=$(curl --silent "$URL"); echo "got: $x"', 0, 'got: \n', network],
  ['if curl -sf localhost:3000 >/dev/null; then echo up; else echo down; fi', 0, 'down\n', network],
  ['curl https://example.com 2>/dev/null | wc -c', 0, '0\n', network],
  ['curl https://example.com &>/dev/null; true', 0, '', network],
  ['(exec 3<>/dev/tcp/127.0.0.1/80) 2>/dev/null && echo open || echo closed', 0, 'closed\n', network],
  ['wget -qO- http://example.com | wc -c', 0, '0\n', network],
  ['nc -z 127.0.0.1 80', 1, '', network],
  ['getent hosts example.com', 2, '', network],
  ['apt list 2>/dev/null | wc -l', 0, '0\n', files],
  ['apt-cache policy bash 2>/dev/null | head', 0, '', files],
  ['sort -S 5M big 2>/dev/null | wc -l', 0, '0\n', sort],
  ['seq 130000 | sort 2>/dev/null | wc -l', 0, '0\n', sort],
  ['seq 130000 | sort -u 2>/dev/null | uniq -c | tail -1', 0, '', sort],
  ['seq 130000 | sort 2>&1 | wc -l', 0, '1\n', sort],
  ['seq 130000 | sort |& md5sum', 0, 'd41d8cd98f00b204e9800998ecf8427e  -\n', sort],
  ['{ seq 130000 | sort | wc -l; } 2>/dev/null', 0, '0\n', sort],
  ['exec 2>/dev/null; seq 130000 | sort | wc -l', 0, '0\n', sort],
  ['seq 130000 | sort 2>/dev/null | wc -l; echo done', 0, '0\ndone\n', sort],
  ['n=$(seq 130000 | sort 2>/dev/null | wc -l)\necho "$n lines"', 0, '0 lines\n', sort],
  ['seq 130000 | sort 2>/dev/null | awk \'END { print NR, "lines" }\'', 0, '0 lines\n', sort],
  [
    'join <(seq 130000 | sort) <(seq 130000 | sort) 2>/dev/null | wc -l; sort 2>/dev/null < <(seq 130000)',
    0,
    '0\n',
    sort,
  ],
  ['seq 9 | tac 2>/dev/null | head -3', 0, '', tac],
  ['git stash', 1, '', files],
  ['git -C repo stash push -m x; git status --short', 0, ' M a\n', files],
  ["vim -es -c '%p' -c 'q!' file", 1, 'a\n', files],
]

const answered: [command: string, exitCode: number, output: string][] = [
  ['curl --version', 0, 'curl 8\n'],
  ['curl -s file:///etc/hostname', 0, 'host\n'],
  ['test -f x || curl -s http://example.com -o x', 0, ''],
  ['command -v curl', 0, '/usr/bin/curl\n'],
  ['grep -rs curl .', 1, ''],
  ['grep x nc.txt', 1, ''],
  ['apt list 2>/dev/null | wc -l', 0, '786\n'],
  ['sort -S 5M a 2>/dev/null | wc -l', 0, '12\n'],
  ['sort a 2>/dev/null | wc -l', 0, '0\n'],
  ['seq 9 | sort 2>/dev/null | head -2', 0, '1\n2\n'],
  ['seq 9 | sort 2>&1 | head -2', 0, '1\n2\n'],
  ['seq 9 | sort -S 1G 2>/dev/null | wc -l; echo done', 0, '0\ndone\n'],
  ['find / 2>/dev/null | sort | wc -l; echo done', 0, '0\ndone\n'],
  ['tac a 2>/dev/null | wc -l; echo done', 0, '0\ndone\n'],
  ['echo sort 2>/dev/null', 0, 'sort\n'],
  ['git stash', 0, 'No local changes to save\n'],
  ['git stash', 128, 'fatal: not a git repository (or any of the parent directories): .git\n'],
  ['git stash list', 0, ''],
  ['git stash show', 1, 'No stash entries found.\n'],
  ['vim -n -es -c q! x', 0, ''],
]

test.each(silent)('`%s` was refused something', (command, exitCode, output, cause) => {
  expect(probableCause(output, exitCode, command)).toBe(cause)
})

test.each(answered)('nothing points to a refusal of `%s`', (command, exitCode, output) => {
  expect(probableCause(output, exitCode, command)).toBeUndefined()
})

test('a scratch directory is what apt and sort want', () => {
  expect(probableCause('0\n', 0, 'apt list 2>/dev/null | wc -l', true)).toBeUndefined()
  expect(probableCause('0\n', 0, 'sort -S 5M a 2>/dev/null | wc -l', true)).toBeUndefined()
  expect(probableCause('0\n', 0, 'seq 130000 | sort 2>/dev/null | wc -l', true)).toBeUndefined()
  expect(probableCause('', 0, 'curl -s http://127.0.0.1 | head', true)).toBe(network)
})
