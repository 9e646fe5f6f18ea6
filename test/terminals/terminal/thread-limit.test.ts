import { limitThread } from '../../../lib/terminals/terminal/thread-limit.js'
import { waitFor } from '../../support/wait-for.js'

test.each(['', '/proc/self/task/0'])('where %j tells no time, that which passes counts', async (thread) => {
  let isExceeded = false
  limitThread(thread, 20, () => {
    isExceeded = true
  })

  await waitFor(() => isExceeded, { what: 'the limit to be exceeded' })
})

test('a thread that computes is at its limit', async () => {
  let isExceeded = false
  limitThread('/proc/thread-self', 20, () => {
    isExceeded = true
  })

  await waitFor(
    () => {
      const end = Date.now() + 30
      while (Date.now() < end);
      return isExceeded
    },
    { what: 'the limit to be exceeded' },
  )
})

test('one that is ended has no limit any more', async () => {
  const told: string[] = []
  limitThread('', 20, () => told.push('first'))()
  limitThread('', 40, () => told.push('second'))

  await waitFor(() => told.length > 0, { what: 'the second limit' })
  expect(told).toEqual(['second'])
})
