// What `npm test` leaves out.
import { chooseLeftOut } from './left-out.cjs'

const files = ['cli/jobs.test.ts', 'cli/run.test.ts', 'cli/terminal/steps.test.ts', 'run/run.test.ts']

test.each([
  ['nothing', '# a comment\n\n', []],
  ['a file', 'run/run\n', ['run/run.test.ts']],
  [
    'a folder with its folders',
    'cli\n',
    ['cli/jobs.test.ts', 'cli/run.test.ts', 'cli/terminal/steps.test.ts'],
  ],
  ['a folder but for a file and a folder', 'cli\n!cli/run\n!cli/terminal\n', ['cli/jobs.test.ts']],
])('%s', (_, text, leftOut) => {
  expect(chooseLeftOut(text, files)).toEqual(leftOut)
})

test.each(['cli/ru', '!run/walk'])('a line that fits no test file is a mistake: %s', (line) => {
  expect(() => chooseLeftOut(`${line}\n`, files)).toThrow(`there is no test file for the line ${line}`)
})
