// A pid that has come to mean another process, simulated in job.json: nothing gets a signal.
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { processStartTime } from '../../../lib/base/util/process-identity.js'
import { signalProcess } from '../../../lib/commands/jobs/store.js'
import type { JobRecord } from '../../../lib/index.js'
import { isAlive, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { type LiveJobs, leaveNothing, liveJobs } from './live-jobs.js'

afterEach(leaveNothing)

/** Runs a job, and `change`s its record while `look` looks. Nobody holds the lock on its output then, as after its end. */
const withRecord = async (
  { directory, start }: LiveJobs,
  change: (record: JobRecord) => unknown,
  look: (id: string, supervisor: number) => Promise<void>,
) => {
  const marker = uniqueSleep()
  const { id, outputFile } = await start(`sleep ${marker}`)
  await waitForSleep(marker)
  const path = join(directory, id, 'job.json')
  const text = readFileSync(path, 'utf8')
  const record = JSON.parse(text) as JobRecord
  const supervisor = record.supervisor.pid
  change(record)
  writeFileSync(path, JSON.stringify(record))
  renameSync(outputFile, `${outputFile}.locked`)
  copyFileSync(`${outputFile}.locked`, outputFile)
  try {
    await look(id, supervisor)
    expect(isAlive(supervisor)).toBe(true)
    expect(sleepsWith(marker)).toHaveLength(1)
  } finally {
    renameSync(`${outputFile}.locked`, outputFile)
    writeFileSync(path, text)
  }
}

test('both processes began at another time: lost, and kill signals nobody', async () => {
  const jobs = liveJobs()
  const change = (record: JobRecord) => {
    record.startTime += 1
    record.supervisor.startTime += 1
  }
  await withRecord(jobs, change, async (id) => {
    expect(await jobs.store.get(id)).toMatchObject({ status: 'lost', exit: null })
    expect(await jobs.store.kill(id)).toMatchObject({
      status: 'not_running',
      error: { code: 'ERR_JOB_NOT_RUNNING' },
    })
  })
})

test('the supervisor began at another time: lost, kill names the rest of the group and signals nobody', async () => {
  const jobs = liveJobs()
  const change = (record: JobRecord) => {
    record.supervisor.startTime += 1
  }
  await withRecord(jobs, change, async (id) => {
    expect(await jobs.store.get(id)).toMatchObject({ status: 'lost' })
    const pgid = (await jobs.store.get(id)).record?.pgid
    expect(await jobs.store.kill(id)).toMatchObject({
      status: 'error',
      error: { code: 'ERR_JOB_NOT_KILLED', message: expect.stringContaining(`kill -9 -${pgid}`) },
    })
  })
})

test('another boot: lost, and kill signals nobody', async () => {
  const jobs = liveJobs()
  const change = (record: JobRecord) => {
    record.bootId = '00000000-0000-4000-8000-000000000000'
  }
  await withRecord(jobs, change, async (id) => {
    expect(await jobs.store.get(id)).toMatchObject({ status: 'lost' })
    expect(await jobs.store.kill(id)).toMatchObject({ status: 'not_running' })
  })
})

test('the native signal goes to a process only with its own start time', async () => {
  const marker = uniqueSleep()
  const { store, start } = liveJobs()
  const { id } = await start(`sleep ${marker}`)
  const [sleep] = await waitForSleep(marker)
  const pid = sleep?.pid ?? 0
  const startTime = processStartTime(pid) ?? 0
  const { SIGKILL } = constants.signals

  expect(signalProcess(pid, startTime + 1, SIGKILL)).toBe(constants.errno.ESRCH)
  expect(signalProcess(pid, startTime - 1, SIGKILL)).toBe(constants.errno.ESRCH)
  expect(isAlive(pid)).toBe(true)
  expect(signalProcess(pid, startTime, SIGKILL)).toBe(0)
  // `sleep` was the last command: bash has become it.
  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'killed', signal: 'SIGKILL' })
})

test.each([0, 1])('the native signal never goes to pid %i', (pid) => {
  expect(signalProcess(pid, processStartTime(pid) ?? 0, 0)).toBe(constants.errno.ESRCH)
})
