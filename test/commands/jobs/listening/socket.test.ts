// How a listening socket is told.
import { listeningText } from '../../../../lib/commands/jobs/listening/socket.js'

const at = (address: string, port: number) => ({ address, port, pid: 7 })

test('nothing that listens is no line', () => {
  expect(listeningText([])).toBe('')
  expect(listeningText()).toBe('')
})

test('addresses are written as in a URL', () => {
  expect(listeningText([at('127.0.0.1', 5173), at('::1', 80)])).toBe('[listening: 127.0.0.1:5173, [::1]:80]')
})

test('what cannot be reached from here is told', () => {
  expect(listeningText([{ ...at('127.0.0.1', 80), otherNetwork: true }])).toBe(
    '[listening: 127.0.0.1:80 (in another network namespace)]',
  )
})

test('of many the first eight are named', () => {
  const many = Array.from({ length: 10 }, (_, index) => at('::', index + 1))

  expect(listeningText(many)).toBe(
    `[listening: ${many
      .slice(0, 8)
      .map(({ port }) => `[::]:${port}`)
      .join(', ')}, and 2 more]`,
  )
})
