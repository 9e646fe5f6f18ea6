// JobStore.kill ends everything that a job has started, however that resists.
import { JobStore } from '../../../lib/index.js'
import {
  isAlive,
  processesWith,
  sleepsWith,
  stateOf,
  uniqueSleep,
  waitForSleep,
} from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveJobs, supervisorPid, textOf, waitForOutput } from './live-jobs.js'

afterEach(leaveNothing)

test.each([
  ['a plain command', 'sleep {}', 1],
  ['children in the background', 'sleep {} & sleep {} & wait', 2],
  ['a daemon', 'setsid -f sleep {}; sleep {}', 2],
  ['row 20: children whose bash has exited', 'sleep {} & exit 0', 1],
  ['row 20: a daemon whose bash has exited', 'setsid -f sleep {} >/dev/null 2>&1; exit 0', 1],
])('%s: nothing is left when it returns', async (_, template, sleeps) => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(template.replaceAll('{}', marker))
  await waitForSleep(marker, sleeps)

  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect(processesWith(marker)).toEqual([])
  expect(await store.get(id)).toMatchObject({ status: 'killed', exitCode: null, signal: 'SIGTERM' })
  expect(textOf(outputFile)).toBe('\n\n[background process killed: SIGTERM]')
})

test('a job that tidies up at SIGTERM gets the time for it', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs({ termGraceMs: 10_000 })
  const { id, outputFile } = await start(
    `trap 'sleep .3; echo tidied; exit 0' TERM; echo ready; sleep ${marker} & wait`,
  )
  await waitForOutput(outputFile, 'ready')

  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect(textOf(outputFile)).toBe('ready\ntidied\n\n\n[background process killed: SIGTERM]')
})

test('stopped processes are killed as well', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(
    `sleep ${marker} & kill -STOP $!; echo $$ $! on; kill -STOP $$; sleep ${marker}`,
  )
  await waitForOutput(outputFile, 'on')
  const [shell, child] = textOf(outputFile).split(' ').map(Number) as [number, number]
  await waitFor(() => stateOf(shell) === 'T' && stateOf(child) === 'T', {
    what: 'bash and its child to be stopped',
  })

  expect(await store.kill(id)).toEqual({ status: 'killed' })
  expect([shell, child].filter(isAlive)).toEqual([])
  expect(processesWith(marker)).toEqual([])
})

test('a job that has stopped its supervisor is killed', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  // bash does this first: the supervisor may not even have announced the job.
  const { id } = await start(`kill -STOP $PPID; sleep ${marker}`)
  await waitForSleep(marker)
  process.kill(supervisorPid(await store.get(id)), 'SIGSTOP')

  expect(await store.kill(id, { timeoutMs: 5000 })).toEqual({ status: 'killed' })
  expect(sleepsWith(marker)).toEqual([])
})

test('two who kill it at once are told the same', async () => {
  const marker = uniqueSleep()
  const { directory, store, start } = liveJobs()
  const { id } = await start(`sleep ${marker}`)
  await waitForSleep(marker)
  const other = new JobStore({ directory })

  expect(await Promise.all([store.kill(id), other.kill(id)])).toEqual([
    { status: 'killed' },
    { status: 'killed' },
  ])
  expect(sleepsWith(marker)).toEqual([])
})

test('a job that has ended is not running, and its files stay as they are', async () => {
  const { store, start } = liveJobs()
  const { id, outputFile } = await start('echo over; exit 2')
  const ended = await store.wait(id, { timeoutMs: 20_000 })

  expect(await store.kill(id)).toMatchObject({
    status: 'not_running',
    error: { code: 'ERR_JOB_NOT_RUNNING' },
  })
  expect(await store.get(id)).toEqual(ended)
  expect(textOf(outputFile)).toBe('over\n\n\n[background process failed: exit code 2]')
})

test('a job whose supervisor was killed is lost; what is left of it is named, with the way to stop it', async () => {
  const marker = uniqueSleep()
  const { store, tool, start } = liveJobs()
  const job = await start(`sleep ${marker} & sleep ${marker}; wait`)
  await waitForSleep(marker, 2)
  const supervisor = supervisorPid(await store.get(job.id))
  process.kill(supervisor, 'SIGKILL')
  const lost = await store.wait(job.id, { timeoutMs: 20_000 })

  expect(lost).toMatchObject({ status: 'lost', exit: null, problem: expect.stringContaining('supervisor') })
  const pids = await waitFor(
    () => {
      const left = processesWith(marker)
      return left.every(({ args }) => args[0] === 'sleep') ? left.map(({ pid }) => pid) : undefined
    },
    { what: 'bash to end with its supervisor' },
  )
  expect(pids).toHaveLength(2)
  const { status, error } = await store.kill(job.id)
  expect({ status, code: error?.code }).toEqual({ status: 'error', code: 'ERR_JOB_NOT_KILLED' })
  for (const pid of pids) expect(error?.message).toContain(String(pid))
  expect(error?.message).toContain(`kill -9 -${job.pid}`)

  await tool.execute({ command: `kill -9 -${job.pid}` }, { workingDir: '/' })
  await waitFor(() => processesWith(marker).length === 0, { what: 'the processes to be gone' })
  expect(await store.kill(job.id)).toMatchObject({ status: 'not_running' })
})
