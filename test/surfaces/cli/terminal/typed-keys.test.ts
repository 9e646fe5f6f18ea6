import { splitAtDetach, toModeOf } from '../../../../lib/surfaces/cli/terminal/typed-keys.js'

const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['abc', 'abc', false],
  ['ab\x1dc', 'ab', true],
  ['\x1d', '', true],
  ['', '', false],
])('%j: %j reaches the job, detached: %s', (typed, before, isDetached) => {
  const split = splitAtDetach(bytes(typed))

  expect({ ...split, before: split.before.toString('latin1') }).toEqual({ before, isDetached })
})

test.each([
  ['\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F', true, '\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF'],
  ['\x1bOA\x1bOD', false, '\x1b[A\x1b[D'],
  ['\x1bOA', true, '\x1bOA'],
  ['\x1b[A', false, '\x1b[A'],
  // Function keys, editing keys, keys with modifiers, a lone Escape, text beyond ASCII.
  ['\x1bOP\x1b[3~\x1b[1;5A\x1b', true, '\x1bOP\x1b[3~\x1b[1;5A\x1b'],
  ['\xc3\xa9[A', true, '\xc3\xa9[A'],
])('%j for application mode %s is %j', (typed, mode, sent) => {
  expect(toModeOf(bytes(typed), mode).toString('latin1')).toBe(sent)
})
