// A record that a command has made as expensive as possible does not hold up the host.

import { readRecord } from '../../../lib/commands/session/read-record.js'
import { RecordFault, type Steps } from '../../../lib/commands/session/reading.js'
import { freshState } from '../../../lib/commands/session/state.js'

const nonce = '0123456789abcdef01234567'
const secret = 'fedcba98765432100123abcd'
const marks = { nonce, secret }
const size = 1024 * 1024

const recordOf = (definitions: string): string =>
  [
    `bashward-session-2 ${nonce}\nbraceexpand cmdhist\n0022\n`,
    `${nonce} ready\n${secret} state\nbraceexpand cmdhist\n${secret} umask\n0022\n${secret} functions\n`,
    `${secret} directory\n/\n${secret} definitions\n${definitions}${secret} end\n`,
  ].join('')

const repeated = (text: (index: number) => string): string => {
  let all = ''
  for (let index = 0; all.length < size; index += 1) all += text(index)
  return all
}

/** The steps that it takes, and what the longest of them has read. */
const countSteps = (steps: Steps<unknown>): number => {
  for (let count = 1; ; count += 1) {
    try {
      if (steps.next().done) return count
    } catch (error) {
      expect(error).toBeInstanceOf(RecordFault)
      return count
    }
  }
}

test('a record of very many sections is refused at once', () => {
  const record = recordOf(repeated(() => `${secret} state\n`))
  expect(() => readRecord(record, marks, freshState).next()).toThrow(/too many sections/)
})

test('what many aliases become is made in steps, too', () => {
  const count = (name: string) =>
    countSteps(readRecord(recordOf(repeated((index) => `alias ${name}${index}='1'\n`)), marks, freshState))
  expect(count('a')).toBeGreaterThan(400)
})

test.each([
  ['many variables', repeated((index) => `declare -- v${index}="1"\n`)],
  ['many aliases', repeated((index) => `alias a${index}='1'\n`)],
  ['an array of many elements', `declare -a a=(${repeated((index) => `[${index}]="1" `)})\n`],
  ['an associative array of many elements', `declare -A a=(${repeated((index) => `[k${index}]="1" `)})\n`],
])('%s are read in many steps', (_, definitions) => {
  expect(countSteps(readRecord(recordOf(definitions), marks, freshState))).toBeGreaterThan(100)
})
