// What a supervisor has noted of the sandbox of its job.
import { parseNotes } from '../../../lib/commands/jobs/job-sandbox.js'

const notes = (...texts: string[]) => parseNotes(Buffer.from(texts.map((text) => `${text}\0`).join('')))
const none = { denials: [], denialsDropped: 0, changed: [], changedDropped: 0, brokerEnded: false }

test('what was refused and what has changed is told apart', () => {
  const all = [
    'denied 0 /a b\nc',
    'denied 5 ',
    'more-denied 7 ',
    'changed 0 /x',
    'more-changed 2 ',
    'broker-ended 1 ',
  ]

  expect(notes(...all)).toEqual({
    denials: [
      { operation: 0, target: '/a b\nc' },
      { operation: 5, target: '' },
    ],
    denialsDropped: 7,
    changed: ['/x'],
    changedDropped: 2,
    brokerEnded: true,
  })
})

test('a note that is being written does not count yet', () => {
  expect(parseNotes(Buffer.from('changed 0 /a\0changed 0 /b'))).toEqual({ ...none, changed: ['/a'] })
})

test.each(['', 'denied', 'denied 99 /a', 'denied -1 /a', 'changed /a', 'constructor 1 /a', '{}'])(
  'what is no note is passed over: %j',
  (text) => {
    expect(notes(text)).toEqual(none)
  },
)

test('there are no more denials and changes than a command has', () => {
  const many = (word: string) => Array.from({ length: 300 }, (_, index) => `${word} 0 /${index}`)
  const { denials, changed } = notes(...many('denied'), ...many('changed'))

  expect([denials.length, changed.length]).toEqual([32, 128])
})

test('bytes that are no UTF-8 are shown', () => {
  expect(parseNotes(Buffer.from('changed 0 /a\xff\0', 'latin1')).changed).toEqual(['/a\ufffd'])
})
