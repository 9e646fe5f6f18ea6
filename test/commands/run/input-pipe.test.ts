// The pipe for what a command reads while it runs.

import { once } from 'node:events'
import { readdirSync, readSync } from 'node:fs'
import { openInputPipe } from '../../../lib/commands/run/input-pipe.js'
import { waitFor } from '../../support/wait-for.js'

const descriptors = () => readdirSync('/proc/self/fd').length

const read = (descriptor: number): string => {
  const buffer = Buffer.alloc(100)
  return buffer.toString('utf8', 0, readSync(descriptor, buffer))
}

test('what is written can be read, up to the end', async () => {
  const { descriptor, writable, close } = await openInputPipe()
  writable.end('text')
  await once(writable, 'close')

  expect(read(descriptor)).toBe('text')
  // The shell that has made it holds it for a moment longer: reading waits for its end.
  expect(read(descriptor)).toBe('')
  close()
})

test('what cannot be written any more fails with EPIPE', async () => {
  const { writable, close } = await openInputPipe()
  const failed = new Promise((resolve) => writable.once('error', resolve))
  writable.write(Buffer.alloc(1_000_000))
  close()

  expect(await failed).toMatchObject({ code: 'EPIPE' })
})

test('both ends are given back', async () => {
  const first = await openInputPipe()
  first.close()
  const before = descriptors()
  for (let i = 0; i < 5; i++) (await openInputPipe()).close()

  await waitFor(() => descriptors() <= before || undefined, { what: 'the descriptors to be closed' })
})
