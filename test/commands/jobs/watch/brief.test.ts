// What the record of an end says of the job: it is bounded, whatever the command and the conversation are.

import { briefOf, conversationKey } from '../../../../lib/commands/jobs/watch/brief.js'
import { endRecordSize } from '../../../../lib/processes/engine/job-format/end-record.js'
import { descriptionOf } from '../job-files.js'

const id = 'bash_aaaaaa'

test('it is the beginning of a JSON object on one line', () => {
  const brief = briefOf(descriptionOf(id, { command: 'a\nb', conversationId: 'c1', createdAt: 5 }))
  expect(brief).not.toContain('\n')
  expect(JSON.parse(`${brief}"x":1}`)).toEqual({
    version: 1,
    id,
    command: 'a\nb',
    conversation: 'c1',
    createdAt: 5,
    x: 1,
  })
})

test.each([
  ['plain', 'x'],
  ['control characters', '\u0001'],
  ['other letters', '語'],
  ['lone surrogates', '\ud800'],
])('of a long command and conversation of %s it leaves room for the end', (_, letter) => {
  const long = letter.repeat(100_000)
  const brief = briefOf(descriptionOf(id, { command: long, conversationId: long }))
  expect(Buffer.byteLength(brief)).toBeLessThan(endRecordSize / 2)
})

test('long ids of conversations are told apart by a digest', () => {
  const long = 'x'.repeat(5000)
  expect(conversationKey(`${long}1`)).not.toBe(conversationKey(`${long}2`))
  expect(conversationKey(long)).toBe(conversationKey(long))
  expect(conversationKey('short')).toBe('short')
  expect(conversationKey(null)).toBeNull()
})
