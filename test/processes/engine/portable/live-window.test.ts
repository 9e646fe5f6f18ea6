import { LiveWindow } from '../../../../lib/processes/engine/portable/live-window.js'
import { waitFor } from '../../../support/wait-for.js'

const limit = 64 * 1024

const listen = () => {
  const pieces: { text: string; dropped: number }[] = []
  const window = new LiveWindow((bytes, dropped) => pieces.push({ text: String(bytes), dropped }))
  return { window, pieces }
}

test('what comes together is one piece, shown by itself', async () => {
  const { window, pieces } = listen()
  window.append(Buffer.from('a'))
  window.append(Buffer.from('b'))
  await waitFor(() => pieces.length > 0, { what: 'a piece' })

  expect(pieces).toEqual([{ text: 'ab', dropped: 0 }])
  window.end()
})

test('what is too much is dropped and counted with the next piece', () => {
  const { window, pieces } = listen()
  window.append(Buffer.alloc(limit + 5, 'a'))
  window.append(Buffer.from('lost'))
  window.end()

  expect(pieces.map(({ text, dropped }) => [text.length, dropped])).toEqual([
    [limit, 0],
    [0, 9],
  ])
})

test('the end shows the rest, and nothing when there is none', () => {
  const { window, pieces } = listen()
  window.append(Buffer.from('a'))
  window.end()
  window.end()

  expect(pieces).toEqual([{ text: 'a', dropped: 0 }])
})
