// A pid means another process in each PID namespace: that of a container, and that of /proc where it is another one's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BashResult, type Job, JobStore, type KillJobResult } from '../../../lib/index.js'
import { startHost } from '../../support/host.js'
import { pidNamespacePrefix } from '../../support/pid-namespace.js'
import { processesWith, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { jobsDirectory, writeJob } from '../jobs/job-files.js'
import { leaveNothing } from './live-jobs.js'

afterEach(leaveNothing)

/** A host in a PID namespace of its own that starts `command` as a job, and stays. */
const startContainer = async (command: string, prefix: string[]) => {
  const directory = join(tempDir(), 'jobs')
  const argument = { directory, background: [command], stay: true }
  const host = startHost('jobs-start', { argument, prefix })
  const [started] = await host.report<BashResult[]>('started')
  return { host, directory, store: new JobStore({ directory }), id: started?.jobId ?? '', started }
}

/** The start time of a process of this namespace, by its own number in the namespace that it is in. */
const startTimeOf = (outerPid: number): number => {
  const stat = readFileSync(`/proc/${outerPid}/stat`, 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
}

describe('a host whose /proc is that of another PID namespace', () => {
  test('records its own processes, and not those that have their numbers in /proc', async () => {
    const prefix = pidNamespacePrefix('foreign')
    if (prefix === undefined) return
    const marker = uniqueSleep()
    const { started, store, id } = await startContainer(`exec sleep ${marker}`, prefix)

    expect(started).toMatchObject({ status: 'background' })
    const [sleep] = await waitForSleep(marker)
    expect((await store.get(id)).record?.startTime).toBe(startTimeOf(sleep?.pid ?? 0))
  })

  test('finds its jobs running, and kills them', async () => {
    const prefix = pidNamespacePrefix('foreign')
    if (prefix === undefined) return
    const marker = uniqueSleep()
    const host = startHost('jobs-kill', {
      argument: { directory: join(tempDir(), 'jobs'), command: `sleep ${marker} & sleep ${marker}` },
      prefix,
    })
    const { before, killed, after } = await host.report<
      Record<'before' | 'after', Job> & { killed: KillJobResult }
    >('result')

    expect(before.status).toBe('running')
    expect(killed).toEqual({ status: 'killed' })
    expect(after.status).toBe('killed')
    expect(processesWith(marker)).toEqual([])
  })
})

test('nobody is told to kill what has the numbers of a job whose namespace gave its own to the next', async () => {
  const prefix = pidNamespacePrefix('own')
  if (prefix === undefined) return
  const marker = uniqueSleep()
  const directory = jobsDirectory()
  writeJob(directory, 'bash_aaaaaa')
  const host = startHost('jobs-successor', { argument: { directory, id: 'bash_aaaaaa', marker }, prefix })

  expect(await host.report('result')).toMatchObject({ status: 'not_running' })
})

describe('a directory of jobs that two containers share', () => {
  test('shows a job of the other one as running, and neither kills nor removes it', async () => {
    const prefix = pidNamespacePrefix('own')
    if (prefix === undefined) return
    const marker = uniqueSleep()
    const { directory, store, id } = await startContainer(`sleep ${marker}`, prefix)
    await waitForSleep(marker)

    expect(await store.get(id)).toMatchObject({ status: 'running' })
    expect(await store.kill(id)).toMatchObject({
      status: 'error',
      error: { code: 'ERR_JOB_NOT_KILLED', message: expect.stringContaining('another PID namespace') },
    })
    expect(await new JobStore({ directory, maxJobs: 0, maxAgeMs: 0 }).cleanUp()).toEqual([])
    expect(sleepsWith(marker)).toHaveLength(1)
    expect(await store.get(id)).toMatchObject({ status: 'running' })
  })

  test('shows the jobs of a container that was killed as lost, and removes them in time', async () => {
    const prefix = pidNamespacePrefix('own')
    if (prefix === undefined) return
    const marker = uniqueSleep()
    const { host, directory, store, id } = await startContainer(`sleep ${marker}`, prefix)
    await waitForSleep(marker)
    host.kill('SIGKILL')

    expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'lost' })
    await waitFor(() => processesWith(marker).length === 0, {
      what: 'the processes of the container to be gone',
    })
    expect(await new JobStore({ directory, maxJobs: 0 }).cleanUp()).toEqual([id])
  })
})
