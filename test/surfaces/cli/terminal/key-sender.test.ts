import { KeySender } from '../../../../lib/surfaces/cli/terminal/key-sender.js'
import { waitFor } from '../../../support/wait-for.js'

const nothing = { unreadBytes: 0, queuedBytes: 0, droppedBytes: 0 }

/** A terminal that takes a piece when it is told to. */
const slowTerminal = () => {
  const taken: Buffer[] = []
  const waiting: (() => void)[] = []
  return {
    taken,
    next: async () => (await waitFor(() => waiting.shift(), { what: 'a piece to be sent' }))(),
    send: async (bytes: Uint8Array) => {
      taken.push(Buffer.from(bytes))
      await new Promise<void>((resolve) => waiting.push(resolve))
      return nothing
    },
  }
}

test('sends what is typed in its order, and together what has come meanwhile', async () => {
  const terminal = slowTerminal()
  const sender = new KeySender(terminal, { onTyped: () => {}, onRefused: () => {} })
  for (const key of ['a', 'b', 'c']) sender.send(Buffer.from(key))
  sender.send(Buffer.alloc(0))
  const sent = sender.sent()
  await terminal.next()
  await terminal.next()
  await sent

  expect(terminal.taken.map(String)).toEqual(['a', 'bc'])
})

test('sends a large paste in pieces', async () => {
  const terminal = slowTerminal()
  const sender = new KeySender(terminal, { onTyped: () => {}, onRefused: () => {} })
  sender.send(Buffer.alloc(150_000, 'x'))
  for (let i = 0; i < 3; i++) await terminal.next()

  expect(terminal.taken.map(({ length }) => length)).toEqual([65_528, 65_528, 18_944])
})

test('keeps no more than a mebibyte, and says so', async () => {
  const terminal = slowTerminal()
  const refused: string[] = []
  const sender = new KeySender(terminal, { onTyped: () => {}, onRefused: (why) => refused.push(why) })
  sender.send(Buffer.from('first'))
  sender.send(Buffer.alloc(1024 * 1024))
  sender.send(Buffer.from('late'))

  expect(refused).toEqual(['not typed: too much waits already'])
})

test('tells what was dropped, and why something was not typed, and goes on', async () => {
  const answers: (Error | number)[] = [3, new Error('gone'), 0]
  const told: unknown[] = []
  const send = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return { ...nothing, droppedBytes: answer ?? 0 }
  }
  const sender = new KeySender({ send }, { onTyped: (n) => told.push(n), onRefused: (why) => told.push(why) })
  for (const count of [1, 2, 3]) {
    sender.send(Buffer.from('x'))
    await waitFor(() => told.length === count, { what: `answer ${count}` })
  }

  expect(told).toEqual([3, 'gone', 0])
})
