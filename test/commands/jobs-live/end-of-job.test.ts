// When a background job ends, and how its end is reported: row 20.
import { isAlive, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { gate, leaveNothing, liveJobs, supervisorPid, textOf } from './live-jobs.js'

afterEach(leaveNothing)

test('row 20: `sleep 1; exit 7` ends with status 7', async () => {
  const { store, start } = liveJobs()
  const { id, outputFile } = await start('sleep 1; exit 7')

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({
    status: 'failed',
    exitCode: 7,
    signal: null,
  })
  expect(textOf(outputFile)).toBe('\n\n[background process failed: exit code 7]')
})

test('the job lasts as long as anything it has started, and its status is that of bash', async () => {
  const { wait, open } = gate()
  const { store, start } = liveJobs()
  const { id, pid, outputFile } = await start(`(${wait}; echo last) & exit 6`)
  await waitFor(() => !isAlive(pid), { what: 'bash to exit' })

  expect(await store.get(id)).toMatchObject({ status: 'running', exitCode: null })
  open()
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'failed', exitCode: 6 })
  expect(textOf(outputFile)).toBe('last\n\n\n[background process failed: exit code 6]')
})

test('a daemon of the job is a part of it', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id } = await start(`setsid -f sleep ${marker} </dev/null >/dev/null 2>&1`)
  const [daemon] = await waitForSleep(marker)

  expect(await store.get(id)).toMatchObject({ status: 'running' })
  process.kill(daemon?.pid ?? 0, 'SIGKILL')
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'completed', exitCode: 0 })
})

test('bash ended by SIGSEGV: the rest is killed', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs({ termGraceMs: 300 })
  const job = await start(`sleep ${marker} & setsid -f sleep ${marker}; wait`)
  await waitForSleep(marker, 2)
  process.kill(job.pid, 'SIGSEGV')

  expect(await store.wait(job.id, { timeoutMs: 20_000 })).toMatchObject({
    status: 'killed',
    exitCode: null,
    signal: 'SIGSEGV',
  })
  expect(sleepsWith(marker)).toEqual([])
  expect(textOf(job.outputFile)).toBe('\n\n[background process killed: SIGSEGV]')
})

test('`kill -9 -PGID` in a later command stops it, and the file says so', async () => {
  const marker = uniqueSleep()
  const { store, tool, start } = liveJobs({ termGraceMs: 300 })
  const job = await start(`echo on; setsid -f sleep ${marker}; sleep ${marker} & sleep ${marker}`)
  await waitForSleep(marker, 3)
  const kill = await tool.execute({ command: `kill -9 -${job.pid}` }, { workingDir: '/' })

  expect(kill).toMatchObject({ status: 'completed', output: '' })
  expect(await store.wait(job.id, { timeoutMs: 20_000 })).toMatchObject({
    status: 'killed',
    signal: 'SIGKILL',
  })
  expect(sleepsWith(marker)).toEqual([])
  expect(textOf(job.outputFile)).toBe('on\n\n\n[background process killed: SIGKILL]')
})

test('SIGTERM, SIGHUP and SIGINT to the supervisor change nothing', async () => {
  const { wait, open } = gate()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(`${wait}; echo undisturbed; exit 4`)
  const supervisor = supervisorPid(await store.get(id))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.kill(supervisor, signal)
  open()

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'failed', exitCode: 4 })
  expect(textOf(outputFile)).toBe('undisturbed\n\n\n[background process failed: exit code 4]')
})
