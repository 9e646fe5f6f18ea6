// Jobs that wait for their turn.
import { limitConcurrency } from '../../../lib/guard/proxy/concurrency.js'

test('four jobs run at a time, when that is the limit', async () => {
  let running = 0
  let most = 0
  const release: (() => void)[] = []
  const limited = limitConcurrency(4)
  const jobs = Array.from({ length: 10 }, () =>
    limited(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => release.push(resolve))
      running -= 1
    }),
  )
  while (release.length > 0 || running > 0) {
    release.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(jobs)

  expect(most).toBe(4)
})

test('a job that fails makes room for the next', async () => {
  const limited = limitConcurrency(1)
  const failing = limited(() => Promise.reject(new Error('no')))
  const next = limited(async () => 'done')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('a job that nobody waits for any more is not begun', async () => {
  const limited = limitConcurrency(1)
  let release = (): void => {}
  const first = limited(() => new Promise<void>((resolve) => (release = resolve)))
  const gone = new AbortController()
  const begun: string[] = []
  const second = limited(async () => begun.push('second'), gone.signal)
  const third = limited(async () => begun.push('third'))

  gone.abort()
  await expect(second).rejects.toMatchObject({ code: 'ABORT_ERR' })
  release()
  await Promise.all([first, third])

  expect(begun).toEqual(['third'])
})
