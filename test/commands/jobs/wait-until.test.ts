// Waiting for a line of a job's output.
import { appendFileSync } from 'node:fs'
import { removeTempDirs } from '../../support/temp-dir.js'
import { stopAll, writeExit } from './job-files.js'
import { id, jobWith, runningJob } from './readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

/** Longer than any test may take. */
const timeoutMs = 50_000

test('a line that is there already ends the wait at once', async () => {
  const { store } = await runningJob('starting\nready on port 80\nready on port 81\n')

  expect(await store.wait(id, { until: 'ready', timeoutMs })).toMatchObject({
    status: 'running',
    matched: 'ready on port 80',
  })
})

test('who does not wait is told of a line that is there, however far', async () => {
  const { store } = await runningJob(`${'starting\n'.repeat(10_000)}ready\n`)

  expect(await store.wait(id, { until: 'ready', timeoutMs: 0 })).toMatchObject({ matched: 'ready' })
})

test('a line that comes later ends it', async () => {
  const { store, paths } = await runningJob('starting\n')
  const waiting = store.wait(id, { until: '^ready', timeoutMs })
  setTimeout(() => appendFileSync(paths.output, 'not yet ready\n'), 30)
  setTimeout(() => appendFileSync(paths.output, 'ready\n'), 60)

  expect(await waiting).toMatchObject({ status: 'running', matched: 'ready' })
})

test('a line in pieces, without its end, is looked at again', async () => {
  const { store, paths } = await runningJob('rea')
  const waiting = store.wait(id, { until: 'ready', timeoutMs })
  setTimeout(() => appendFileSync(paths.output, 'dy'), 30)

  expect(await waiting).toMatchObject({ matched: 'ready' })
})

test('lines are looked at as a terminal shows them', async () => {
  const { store } = await runningJob('10%\r\x1b[32m  Local\x1b[39m: http://localhost:5173/\n')

  expect(await store.wait(id, { until: 'Local: http', timeoutMs })).toMatchObject({
    matched: '  Local: http://localhost:5173/',
  })
})

test('an offset leaves out what was there before', async () => {
  const { store, paths } = await runningJob('ready\n')
  const waiting = store.wait(id, { until: 'ready', offset: 6, timeoutMs })
  setTimeout(() => appendFileSync(paths.output, 'ready again\n'), 30)

  expect(await waiting).toMatchObject({ matched: 'ready again' })
})

test('the end of the job ends it, and its last words count', async () => {
  const { store, paths } = await runningJob('starting\n')
  const waiting = store.wait(id, { until: 'failed|ready', timeoutMs })
  setTimeout(() => {
    appendFileSync(paths.output, 'failed\n')
    writeExit(paths, { status: 'failed', exitCode: 1 })
  }, 30)

  expect(await waiting).toMatchObject({ status: 'failed', matched: 'failed' })
})

test('without such a line there is none', async () => {
  const { store } = jobWith({ output: 'done\n', exit: { status: 'completed' } })
  const running = await runningJob('starting\n')

  expect(await store.wait(id, { until: 'ready' })).not.toHaveProperty('matched')
  expect(await running.store.wait(id, { until: 'ready', timeoutMs: 50 })).not.toHaveProperty('matched')
})

test('of a long line the beginning is told', async () => {
  const { store } = await runningJob(`ready ${'x'.repeat(10_000)}\n`)
  const { matched = '' } = await store.wait(id, { until: 'ready', timeoutMs })

  expect(matched).toBe(`ready ${'x'.repeat(494)}`)
})

test('aborting ends it', async () => {
  const { store } = await runningJob('starting\n')
  const controller = new AbortController()
  const waiting = store.wait(id, { until: 'ready', signal: controller.signal })
  const reason = new Error('enough')
  setTimeout(() => controller.abort(reason), 30)

  await expect(waiting).rejects.toBe(reason)
})

test.each<[string, object]>([
  ['until: lookaround is not supported (got "(?=a)"; allowed: RE2 syntax', { until: '(?=a)' }],
  ['until: must be a string (got 7; allowed', { until: 7 }],
  ['options.offset: must be an integer from 0', { until: 'a', offset: -1 }],
])('%s', async (message, options) => {
  const { store } = await runningJob('')

  await expect(store.wait(id, options)).rejects.toMatchObject({ message: expect.stringContaining(message) })
})
