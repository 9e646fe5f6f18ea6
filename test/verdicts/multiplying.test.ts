// What may start processes without end asks, though each of them only reads. Nothing of it runs here.
import { judgeCommand, loadPolicy } from '../../lib/index.js'

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
])('%s asks', async (_, command) => {
  expect(await decisionOn(command)).toBe('ask')
})

test.each([
  'sleep 1 & wait',
  'diff <(sort a) <(sort b)',
  'while read -r line; do echo "$line"; done < list 2>&1',
  'while read -r line; do echo "$line"; done < <(git ls-files)',
  'find . -name x | xargs -P4 grep foo',
])('%s is allowed', async (command) => {
  expect(await decisionOn(command)).toBe('allow')
})

test('a function with a name of which a rule of the host is, asks', async () => {
  const policy = loadPolicy({ rules: [{ prefix: ['make'], decision: 'allow' }] })

  expect(await judgeCommand('make() { make | make & }; make', { policy })).toMatchObject({ decision: 'ask' })
})
