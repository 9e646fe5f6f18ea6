// Bodies as they come, whatever their pieces.
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readJson } from '../../../../lib/surfaces/mcp/http/body.js'

const MiB = 1024 * 1024

const begin = (maxBytes: number) => {
  const stream = new PassThrough()
  return { stream, read: readJson(stream as unknown as IncomingMessage, maxBytes) }
}

test.each([1, 4095, 4096, 4097, 10_000, 65_536])('one of %i bytes is read byte by byte', async (length) => {
  const { stream, read } = begin(65_536)
  const text = '1'.padEnd(length)
  for (const byte of Buffer.from(text)) stream.emit('data', Buffer.of(byte))
  stream.emit('end')

  await expect(read).resolves.toMatchObject({ value: 1 })
})

test('one that is as long as it may be is read, and a byte more is refused', async () => {
  const fits = begin(5000)
  fits.stream.end('1'.padEnd(5000))
  const exceeds = begin(5000)
  exceeds.stream.end('1'.padEnd(5001))

  await expect(fits.read).resolves.toEqual({ value: 1, bytes: 5000 })
  await expect(exceeds.read).rejects.toMatchObject({ status: 413 })
})

test('in chunks of a byte it takes no more memory than in one', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { stream, read } = begin(MiB)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 200_000; count += 1) stream.emit('data', Buffer.alloc(1, ' '))
  collect()
  const grown = process.memoryUsage().heapUsed - before
  stream.emit('data', Buffer.from('1'))
  stream.emit('end')

  await expect(read).resolves.toMatchObject({ value: 1 })
  expect(grown).toBeLessThan(5 * MiB)
})
