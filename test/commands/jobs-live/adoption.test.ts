// Row 5, with jobs: what a foreground command leaves running becomes a job, or is killed.
import { existsSync } from 'node:fs'
import type { BashResult } from '../../../lib/index.js'
import { isAlive, processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { gate, leaveNothing, liveJobs, textOf } from './live-jobs.js'

afterEach(leaveNothing)

const context = { workingDir: '/', conversationId: 'c1', toolCallId: 't1' }

const jobOf = ({ jobId = '', outputFile = '' }: BashResult) => ({ id: jobId, outputFile })

test('the output of an adopted child goes on into the file', async () => {
  const { wait, open } = gate()
  const { store, tool } = liveJobs()
  const result = await tool.execute({ command: `(${wait}; echo later) & echo now` }, context)
  const { id, outputFile } = jobOf(result)

  expect(result).toMatchObject({ status: 'completed', output: 'now\n' })
  expect(await store.get(id)).toMatchObject({
    status: 'running',
    record: { adopted: true, conversationId: 'c1', toolCallId: 't1', timeoutMs: 0, pgid: result.pgid },
  })
  expect(textOf(outputFile)).toBe('')
  open()
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'completed', outputBytes: 6 })
  expect(textOf(outputFile)).toBe('later\n\n\n[background process completed]')
})

test('what the model reads names the job, its file and how to stop it', async () => {
  const marker = uniqueSleep()
  const { tool } = liveJobs()
  const result = await tool.execute({ command: `sleep ${marker} & echo now` }, context)
  const pid = result.survivors[0]?.pid

  expect(tool.toText(result)).toBe(
    `now\n[still running as job ${result.jobId}: ${pid} (sleep ${marker}); ` +
      `output goes on in ${result.outputFile}; to stop: kill -9 -${result.pgid}]`,
  )
})

test('between the result and the file nothing is lost, and nothing is twice', async () => {
  const { store, tool } = liveJobs()
  const command = '(for i in $(seq 500); do echo $i; sleep .001; done) & exit 0'
  const result = await tool.execute({ command }, context)
  const { id, outputFile } = jobOf(result)
  const { exit } = await store.wait(id, { timeoutMs: 30_000 })

  const rest = textOf(outputFile).slice(0, -(exit?.statusLineBytes ?? 0))
  expect(`${result.output}${rest}`).toBe(Array.from({ length: 500 }, (_, index) => `${index + 1}\n`).join(''))
})

test('the status of the job is that of bash', async () => {
  const { wait, open } = gate()
  const { store, tool } = liveJobs()
  const result = await tool.execute({ command: `(${wait}) & exit 5` }, context)
  const { id, outputFile } = jobOf(result)
  open()

  expect(result).toMatchObject({ status: 'failed', exitCode: 5 })
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'failed', exitCode: 5 })
  expect(textOf(outputFile)).toBe('\n\n[background process failed: exit code 5]')
})

test('the survivors of a bash that was killed are left alone', async () => {
  const { wait, open } = gate()
  const { store, tool } = liveJobs()
  const result = await tool.execute({ command: `(${wait}; echo unharmed) & kill -9 $$` }, context)
  const { id, outputFile } = jobOf(result)
  open()

  expect(result).toMatchObject({ status: 'failed', signal: 'SIGKILL' })
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ signal: 'SIGKILL' })
  expect(textOf(outputFile)).toBe('unharmed\n\n\n[background process killed: SIGKILL]')
})

test('row 5: `nohup sleep 300 >/dev/null 2>&1 &` is a job that can be killed', async () => {
  const marker = uniqueSleep()
  const { store, tool } = liveJobs()
  const result = await tool.execute({ command: `nohup sleep ${marker} >/dev/null 2>&1 &` }, context)
  const { id } = jobOf(result)
  await waitForSleep(marker)

  expect(await store.get(id)).toMatchObject({ status: 'running' })
  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect(processesWith(marker)).toEqual([])
})

test('an adopted job ends when its processes are killed as the text says', async () => {
  const marker = uniqueSleep()
  const { store, tool } = liveJobs()
  const result = await tool.execute({ command: `sleep ${marker} & echo now` }, context)
  const { id } = jobOf(result)
  await tool.execute({ command: `kill ${result.survivors[0]?.pid}` }, context)

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'completed' })
  expect(processesWith(marker)).toEqual([])
})

test('row 5, kill: nothing is left, and there is no job', async () => {
  const marker = uniqueSleep()
  const { directory, tool } = liveJobs({ survivors: 'kill' })
  const result = await tool.execute({ command: `nohup sleep ${marker} >/dev/null 2>&1 & echo on` }, context)

  expect(result).toMatchObject({ status: 'completed', output: 'on\n', survivors: [] })
  expect(result.jobId).toBeUndefined()
  expect(processesWith(marker)).toEqual([])
  expect(existsSync(directory)).toBe(false)
})

test('a daemon is a job, and can be killed as one', async () => {
  const marker = uniqueSleep()
  const { store, tool } = liveJobs()
  const settled = `until pgrep -xf 'sleep ${marker}'; do sleep .01; done >/dev/null`
  const command = `setsid -f sleep ${marker} </dev/null >/dev/null 2>&1; ${settled}`
  const result = await tool.execute({ command }, context)

  expect(result.survivors).toEqual([{ pid: expect.any(Number), command: `sleep ${marker}`, daemon: true }])
  expect(isAlive(result.survivors[0]?.pid ?? 0)).toBe(true)
  const { id } = jobOf(result)
  expect((await store.list({ conversationId: 'c1' })).map(({ id, status }) => [id, status])).toEqual([
    [id, 'running'],
  ])
  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect(processesWith(marker)).toEqual([])
})

test('a command that leaves nothing running makes no directory', async () => {
  const { directory, tool } = liveJobs()
  await tool.execute({ command: 'echo done' }, context)

  expect(existsSync(directory)).toBe(false)
})

test('a timeout leaves nothing that could be adopted', async () => {
  const marker = uniqueSleep()
  const { store, tool } = liveJobs({ timeouts: { default: 300 } })
  const result = await tool.execute({ command: `sleep ${marker} & sleep ${marker}` }, context)

  expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
  expect(processesWith(marker)).toEqual([])
  expect(await store.list()).toEqual([])
})
