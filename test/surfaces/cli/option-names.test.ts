// What an error about options reads like where they were given on the command line.
import { inOptionNames } from '../../../lib/surfaces/cli/option-names.js'

test.each([
  ['workspace.writable[0]: /etc: cannot be made writable', '--workspace /etc: cannot be made writable'],
  ['workspace.writable[2]: /etc: cannot be made writable', '--writable /etc: cannot be made writable'],
  ['workspace.unreadable[1]: ~/a: cannot be unreadable', '--unreadable ~/a: cannot be unreadable'],
  ['workspace.unreadable[1]: must have * in …', '--unreadable must have * in …'],
  ['workspace.writable: must have at most 16 entries', '--writable must have at most 16 entries'],
  ['invalid input: workspace.writable[0]: /etc: no', 'invalid input: --workspace /etc: no'],
  ['options.consumer: must be a string', '--consumer must be a string'],
  ['keys[2]: must be a single character', '--keys must be a single character'],
  [
    'text: must be without control characters; keys have names, see keys()',
    'text: must be without control characters; keys have names, see --keys',
  ],
  ['filter: must be a valid regular expression', '--filter must be a valid regular expression'],
  ['options.match: must be a valid regular expression', '--match must be a valid regular expression'],
  ['chdir /nope: ENOENT', 'chdir /nope: ENOENT'],
])('%s', (message, expected) => {
  expect(inOptionNames(message)).toBe(expected)
})
