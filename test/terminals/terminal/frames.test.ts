// The messages of a terminal: from any pieces, and nothing from nonsense.
import fc from 'fast-check'
import {
  type Answer,
  AnswerReader,
  inputFrame,
  queryFrame,
  resizeFrame,
  waitFrame,
} from '../../../lib/terminals/terminal/frames.js'
import { toState } from '../../../lib/terminals/terminal/state.js'

const frame = (type: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(Uint32Array.of(type, body.length).buffer), body])

const hello = frame(0x101, Buffer.from(Uint32Array.of(0x31747762, 0).buffer))
const taken = frame(0x103, Buffer.from(Uint32Array.of(7, 90, 0, 1, 2, 3).buffer))

const stateBody = (): Buffer => {
  const body = Buffer.alloc(288)
  // tag, reason, verdict, flags: a relay of which the screen looks as if it waited
  for (const [index, value] of [8, 1, 5, 4 | 16].entries()) body.writeUInt32LE(value, 4 * index)
  body.writeUInt16LE(24, 16)
  body.writeUInt16LE(100, 18)
  body.writeInt32LE(4711, 20)
  body.writeInt32LE(4712, 24)
  body.writeUInt32LE(250, 36)
  body.writeBigUInt64LE(2n ** 40n, 40)
  body.writeUInt32LE(4, 56)
  body.write('ssh\x1b', 60)
  return body
}
const state = frame(0x106, stateBody())

const readAll = (bytes: Buffer, cuts: number[] = []): Answer[] => {
  const reader = new AnswerReader()
  const ends = [...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]
  let start = 0
  return ends.flatMap((end) => {
    const piece = bytes.subarray(start, end)
    start = end
    return reader.read(piece)
  })
}

test('answers are read', () => {
  const [first, second, third] = readAll(Buffer.concat([hello, taken, state]))
  expect(first).toEqual({ type: 'hello' })
  expect(second).toEqual({ type: 'taken', tag: 7, error: 90, accepted: 0, unread: 1, queued: 2, dropped: 3 })
  expect(third).toMatchObject({ type: 'state', tag: 8, pid: 4712, offset: 2 ** 40 })
})

test('a state tells what its numbers stand for, and names a program without its control characters', () => {
  const [answer] = readAll(state)
  expect(answer?.type === 'state' && toState(answer)).toEqual({
    reason: 'input',
    verdict: 'relay',
    likely: true,
    pid: 4712,
    program: expect.not.stringContaining('\x1b'),
    cursorLine: '',
    echo: false,
    cooked: false,
    nested: false,
    altScreen: true,
    bracketedPaste: false,
    rows: 24,
    cols: 100,
    foreground: 4711,
    unreadBytes: 0,
    queuedBytes: 0,
    droppedBytes: 0,
    quietMs: 250,
    offset: 2 ** 40,
  })
})

test('a size that no terminal of ours has is told as the largest', () => {
  const body = stateBody()
  body.writeUInt16LE(65_535, 16)
  body.writeUInt16LE(65_535, 18)
  const [answer] = readAll(frame(0x106, body))
  expect(answer?.type === 'state' && toState(answer)).toMatchObject({ rows: 200, cols: 500 })
})

test('they may come in any pieces', () => {
  const bytes = Buffer.concat([hello, taken, state, taken])
  const whole = readAll(bytes)
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(readAll(bytes, cuts)).toEqual(whole)
    }),
  )
})

test.each([
  ['a type that nobody knows', frame(0x999, Buffer.alloc(8))],
  ['a size that is none of ours', frame(0x106, Buffer.alloc(81))],
  ['another protocol', frame(0x101, Buffer.alloc(8))],
  ['a length beyond all', Buffer.from(Uint32Array.of(0x106, 2 ** 31).buffer)],
])('%s is an error', (_, bytes) => {
  expect(() => readAll(bytes)).toThrow(/a message of/)
})

test('nonsense never hangs or grows without bounds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      try {
        readAll(Buffer.from(bytes))
      } catch (error) {
        expect((error as Error).message).toMatch(/^a message of/)
      }
    }),
  )
})

test('requests are as the supervisor reads them', () => {
  expect(inputFrame(1, Buffer.from('hi')).toString('hex')).toBe('020100000a00000001000000000000006869')
  expect(queryFrame(2).toString('hex')).toBe('050100000400000002000000')
  expect(resizeFrame(3, 40, 132).toString('hex')).toBe('04010000080000000300000028008400')
  const wait = waitFrame(4, { deadlineMs: 5, quietMs: 6, fromOffset: 2 ** 33 })
  expect(wait.toString('hex')).toBe('07010000180000000400000005000000060000000000000000000000' + '02000000')
})
