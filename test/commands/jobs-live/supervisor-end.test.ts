// The kernel tells of the end of a supervisor, which is no child of this process.
import { readdirSync, readlinkSync } from 'node:fs'
import { awaitSupervisor } from '../../../lib/commands/jobs/watch/supervisor-end.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveJobs, supervisorPid } from './live-jobs.js'

afterEach(leaveNothing)

/** Descriptors of processes: the engine has some of its own. */
const pidfds = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === 'anon_inode:[pidfd]'
    } catch {
      // That of the directory itself.
      return false
    }
  }).length

const setUp = async () => {
  const jobs = liveJobs()
  const { id } = await jobs.start('exec sleep 300')
  return { ...jobs, job: await jobs.store.get(id) }
}

test('is told once, of one that was killed', async () => {
  const { job } = await setUp()
  let told = 0
  const forget = awaitSupervisor(job, () => ++told)
  const before = told
  process.kill(supervisorPid(job), 'SIGKILL')
  await waitFor(() => told > 0, { what: 'the end of the supervisor' })
  forget?.()

  expect(forget).toBeDefined()
  expect([before, told]).toEqual([0, 1])
})

test('takes a descriptor, until it is forgotten', async () => {
  const { job } = await setUp()
  const before = pidfds()
  const forget = awaitSupervisor(job, () => {})
  const meanwhile = pidfds()
  forget?.()
  await waitFor(() => pidfds() === before, { what: 'the descriptor to be closed' })

  expect(meanwhile).toBe(before + 1)
})

test('of another process with that number nothing is told', async () => {
  const { job } = await setUp()
  if (job.record === null) throw new Error('no record')
  const before = pidfds()
  const supervisor = { ...job.record.supervisor, startTime: 1 }

  expect(awaitSupervisor({ ...job, record: { ...job.record, supervisor } }, () => {})).toBeUndefined()
  await waitFor(() => pidfds() === before, { what: 'the descriptor to be closed' })
})

test('of one that has been waited for nothing is told', async () => {
  const { job, store } = await setUp()
  await store.kill(job.id)
  await waitFor(() => awaitSupervisor(job, () => {}) === undefined, { what: 'the supervisor to be gone' })
})
