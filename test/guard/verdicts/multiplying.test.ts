// What may start processes without end asks, though each of them only reads. Nothing of it runs here.
import { judgeCommand, loadPolicy } from '../../../lib/index.js'

const decisionOn = async (command: string) => (await judgeCommand(command, { workingDir: '/' })).decision

test.each([
  ['a function that has the name of a program', 'ls() { ls | ls & }; ls'],
  ['two that call each other', 'ls() { cat; }; cat() { ls; }'],
  ['one with the name of a builtin', ':() { :|:& };:'],
  ['one in a script of a script', "bash -c 'ls() { ls; }; ls'"],
  ['one between backticks', 'echo `ls() { ls; }; ls`'],
  ['one with a path for a name', '/bin/ls() { /bin/ls; }; /bin/ls'],
  ['one that bash calls itself', 'command_not_found_handle() { tree; }'],
  ['a loop that leaves commands in the background', 'while :; do sleep 9 & done'],
  ['a loop that leaves process substitutions', 'while :; do : <(sleep 9); done'],
  ['a loop in a loop', 'while :; do while :; do break; done < <(sleep 9); done'],
  ['a script in a loop', "while :; do eval 'sleep 9 &'; done"],
  ['a script for each file', "find / -exec sh -c 'sleep 9 &' \\;"],
  ['as many programs as there are words', 'yes | xargs -P0 -n1 sleep'],
  ['xargs that runs several of xargs', 'yes | xargs -P4 xargs -P4 -n1 sleep'],
  ['xargs that runs several behind a wrapper', 'yes | xargs -n1 timeout 9 xargs -P4 -n1 sleep'],
  ['several shells at a time', "yes | xargs -P4 -n1 bash -c 'sleep 9 | sleep 9'"],
  ['several shells at a time behind wrappers', "yes | xargs -P4 timeout 9 env sh -c 'sleep 9'"],
  ['several at a time in each of several', "yes | xargs -P9 -n1 bash -c 'yes | xargs -P9 -n1 sleep'"],
  ['several at a time in a script', "bash -c 'yes | xargs -P9 -n1 sleep'"],
  ['several at a time for each file', 'find / -exec xargs -P9 sleep \\;'],
  ['several at a time in a loop', 'for i in 1 2; do yes | xargs -P9 -n1 sleep; done'],
  ['several at a time in the background', 'yes | xargs -P9 -n1 sleep &'],
  ['several at a time twice', 'yes | xargs -P9 -n1 sleep; yes | xargs --max-procs=9 -n1 sleep'],
  ['several at a time in a pipeline of them', 'yes | xargs -P9 echo | xargs -P 9 -n1 sleep'],
  ['several at a time in a substitution of them', 'yes | xargs -P9 -n1 sleep "$(yes | xargs -P9 sleep)"'],
  ['the last of two numbers', 'yes | xargs -P1 -P4 xargs -P4 -n1 sleep'],
  ['any number of threads', 'rg -j 100000 x'],
  ['a number of threads that is not known', 'fd --threads=$n x'],
  ['any number of threads in git', 'git grep --threads 9999 x'],
  ['any number of sorting threads', 'sort --parallel=1000 list'],
])('%s asks', async (_, command) => {
  expect(await decisionOn(command)).toBe('ask')
})

test.each([
  'sleep 1 & wait',
  'rg -j4 x',
  'diff <(sort a) <(sort b)',
  'while read -r line; do echo "$line"; done < list 2>&1',
  'while read -r line; do echo "$line"; done < <(git ls-files)',
  'find . -name x | xargs -P4 grep foo',
  'find . -name x | xargs -P4 timeout 9 grep foo',
  "ls | xargs -P1 -n1 bash -c 'ls | xargs -P1 wc -l'",
  'for d in a b; do ls | xargs -P1 wc -l; done',
])('%s is allowed', async (command) => {
  expect(await decisionOn(command)).toBe('allow')
})

test('a function with a name of which a rule of the host is, asks', async () => {
  const policy = loadPolicy({ rules: [{ prefix: ['make'], decision: 'allow' }] })

  expect(await judgeCommand('make() { make | make & }; make', { policy })).toMatchObject({ decision: 'ask' })
})
