// 50 background jobs at once cost their host no memory, and nobody any CPU time while they idle.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startHost } from '../../support/host.js'
import { processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveStore, supervisorPid } from './live-jobs.js'
import { cpuTicks } from './proc-numbers.js'

afterEach(leaveNothing)

const count = 50
const MiB = 1024 * 1024

const startMany = async () => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const host = startHost('jobs-many', {
    argument: { directory, command: `sleep ${marker}`, count },
    nodeOptions: ['--expose-gc'],
  })
  const { ids, growth } = await host.report<{ ids: string[]; growth: number }>('started')
  await waitForSleep(marker, count)
  return { marker, store, host, ids, growth }
}

test('the memory of the host grows by less than 10 MB', async () => {
  const { ids, growth } = await startMany()

  expect(new Set(ids).size).toBe(count)
  expect(growth).toBeLessThan(10 * MiB)
})

test('neither the host nor a supervisor uses CPU time while the jobs idle', async () => {
  const { store, host } = await startMany()
  const supervisors = (await store.list()).map(supervisorPid)
  expect(supervisors).toHaveLength(count)

  // Others may keep a process from its last work for a while: one quiet second is enough for each.
  const busy = new Set([host.pid, ...supervisors])
  await waitFor(
    async () => {
      const before = new Map([...busy].map((pid) => [pid, cpuTicks(pid)]))
      await delay(1000)
      for (const [pid, ticks] of before) if (cpuTicks(pid) - ticks <= 1) busy.delete(pid)
      return busy.size === 0
    },
    { what: 'every process to be idle for a second', deadlineMs: 30_000 },
  )
})

test('another host kills them all at once, while the first still runs', async () => {
  const { marker, store, ids } = await startMany()
  const results = await Promise.all(ids.map((id) => store.kill(id)))

  expect(results.filter(({ status }) => status !== 'killed')).toEqual([])
  expect(processesWith(marker)).toEqual([])
  expect((await store.list()).filter(({ status }) => status !== 'killed')).toEqual([])
})
