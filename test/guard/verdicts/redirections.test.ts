// Descriptors are a way around names: what is behind `/dev/stdout` or `>&5` may be a file.
import { judgeCommand } from '../../../lib/index.js'

const decisionOn = async (command: string) =>
  (await judgeCommand(command, { workingDir: '/srv/project', home: '/home/dev' })).decision

const decisionsOn = async (commands: readonly string[]) =>
  Promise.all(commands.map(async (command) => `${await decisionOn(command)}: ${command}`))

/** Ways for a command to run with redirections, which stand at `R`. */
const nestings = [
  'W R',
  'R W',
  '{ W; } R',
  '(W) R',
  'if true; then W; fi R',
  'for f in 1; do W; done R',
  'while true; do W; break; done R',
  'until false; do W; break; done R',
  'case x in x) W;; esac R',
  "bash -c 'W' R",
  "sh -c 'W' R",
  "eval 'W' R",
  "timeout 5 bash -c 'W' R",
  "find . -maxdepth 0 -exec bash -c 'W' \\; R",
  "ls | xargs -n1 bash -c 'W' R",
  'echo "$(W)" R',
  'echo `W` R',
  'cat <(W) R',
  'cat <<E R\n$(W)\nE',
  'ls | { W; } R',
  '! W R',
  '{ { W; }; } R | cat',
  'exec R; W',
  'f() { W; } R; f',
  'coproc { W; } R',
]

const place = (form: string, write: string, redirects: string) =>
  form.replace('W', () => write).replace('R', () => redirects)

describe('a path of a descriptor asks where something around gives the descriptor', () => {
  test.each([
    ['echo x >>/dev/stdout', '1<file'],
    ['echo x 2>>/dev/stderr', '2<file'],
    ['echo x >>/dev/stdout', '<file 1<&0'],
    ['echo x &>>/dev/stderr', '5<file 2>&5'],
    ['echo x >>/dev/stdout', '3<file 4<&3 1>&4-'],
    ['echo x >>/dev/stdout', '1<<<file'],
    ['echo x >>/dev/stdout', '{fd}<file'],
    ['echo x >>/dev/stdout', '>&-'],
    ['echo x >>/dev/stdout', '2>&1-'],
    ['echo x >>/dev/stdout', '1</dev/fd/5'],
    ['echo x >>/dev/stdout', '1\\\n<file'],
  ])('%s with %s, in every nesting', async (write, redirects) => {
    const commands = nestings.map((form) => place(form, write, redirects))

    expect((await decisionsOn(commands)).filter((each) => !each.startsWith('ask: '))).toEqual([])
  })
})

test.each([
  'cat 1<file',
  'cat 2<file',
  '[[ -e x ]] 1<file',
  'ls 1<&0',
  'ls >&0',
  'cat <file >&0',
  'cat 3<file >&3',
  'cat 3<file 2>&3',
])('nothing to read from takes the place of an output: %s', async (command) => {
  expect(await decisionOn(command)).toBe('ask')
})

test.each([
  'echo x >&5',
  'echo x 2>&5',
  'echo x >&5-',
  'echo x >&"5"',
  'echo x 3>&5 >&3',
  'cat <&5',
  '{ :; } 3>&1; echo x >&3',
  '{ echo x >&3; } 3>&1',
  'bash -c "echo x >&3" 3>&1',
  '{ :; } 5<file; echo x 1\\\n<&5',
  'echo x >&1\\\n5',
  'echo x >&$x',
  'cat <&$x',
])('a descriptor that a session may have opened asks: %s', async (command) => {
  expect(await decisionOn(command)).toBe('ask')
})

test.each([
  '/dev/stdin',
  '/dev/fd/0',
  '/dev/fd/1',
  '/dev/fd/5',
  '/proc/self/fd/1',
  '/proc/thread-self/fd/1',
  '/proc/$$/fd/1',
  '/dev//stdout',
  '/dev/../dev/stdout',
  '/dev/./stderr',
  '/dev/std*',
  '"/dev/$x"',
])('any other path of a descriptor asks: %s', async (path) => {
  const commands = ['>', '>>', '>|', '&>', '2>', '<>'].map((operator) => `ls ${operator}${path}`)

  expect((await decisionsOn(commands)).filter((each) => !each.startsWith('ask: '))).toEqual([])
})

test.each(['/dev/stdout', '/dev/stderr'])('%s, which may be a file, asks where it is cut', async (path) => {
  const commands = nestings.flatMap((form) =>
    ['>', '2>', '>|', '&>', '>&'].map((operator) => place(form, `ls ${operator}${path}`, '')),
  )

  expect((await decisionsOn(commands)).filter((each) => !each.startsWith('ask: '))).toEqual([])
})

test.each([
  'ls 2>&1 | cat',
  'ls >/dev/null 2>&1',
  'ls &>/dev/null',
  'ls 2>&1 >/dev/null | wc -l',
  'echo x >&2',
  'echo x 1>&2',
  'echo x >>/dev/stderr',
  'ls 2>>/dev/stdout',
  'ls &>>/dev/stdout',
  'cat <<E >>/dev/stderr\nusage\nE',
  'echo "a <file>" >>/dev/stderr',
  'ls 2>&-',
  'cat <file',
  'sort <&0',
  'ls 3>&1 1>&2 2>&3 3>&-',
  'ls 3>/dev/null 2>&3',
  'cat 3<file <&3',
  'while read -r line <&3; do echo "$line"; done 3<file',
  'while read -r -u 3 line; do echo "$line"; done 3<file',
  'while read -r line; do echo "$line"; done < <(ls)',
])('what agents type is allowed as before: %s', async (command) => {
  expect(await decisionOn(command)).toBe('allow')
})
