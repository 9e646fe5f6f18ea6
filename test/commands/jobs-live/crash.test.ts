// A host or a supervisor is killed at any moment, 200 times: what the store then says is true, and nothing is left.
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type BashResult, type Job, JobStore } from '../../../lib/index.js'
import { startHost } from '../../support/host.js'
import { processesWith, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { leaveNothing, liveStore, supervisorPid, textOf } from './live-jobs.js'
import { residentBytes } from './proc-numbers.js'

afterEach(leaveNothing)

type Victim = 'host' | 'supervisor' | 'starting supervisor'

interface Kind {
  background: boolean
  /** `{}` is the marker. */
  command: string
  /** The latest moment to kill something, milliseconds after the start. */
  latestMs: number
  /** How it ends by itself, if it does. */
  end?: { status: string; exitCode: number; output: string }
}

const background: Kind[] = [
  { background: true, command: 'sleep {}', latestMs: 5 },
  {
    background: true,
    command: ': {}; echo out; exit 3',
    latestMs: 3,
    end: { status: 'failed', exitCode: 3, output: 'out\n' },
  },
  { background: true, command: 'seq 20000; sleep {} & sleep {} & wait', latestMs: 30 },
  {
    background: true,
    command: ': {}; sleep .02; echo late',
    latestMs: 30,
    end: { status: 'completed', exitCode: 0, output: 'late\n' },
  },
]
/** Adopted after 0.1 s. */
const foreground: Kind = {
  background: false,
  command: 'sleep {} & sleep {} & echo on; exit 2',
  latestMs: 200,
}
/** Has children as soon as possible. */
const hasty: Kind = { background: true, command: 'sleep {} & sleep {} & wait', latestMs: 4 }

interface Iteration {
  kind: Kind
  marker: string
  store: JobStore
  /** What the call gave, when the host has lived to see it. */
  result: BashResult | undefined
}

/** Runs the host of one iteration until it has ended. */
const crash = async (victim: Victim, kind: Kind): Promise<Iteration> => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const command = kind.command.replaceAll('{}', marker)
  const delayMs = Math.random() * kind.latestMs
  const argument = { directory, command, background: kind.background, victim, delayMs }
  const host = startHost('jobs-crash', { argument })
  const result = victim === 'host' ? undefined : await host.report<BashResult>('result')
  const { signal } = await host.exited()
  expect({ signal, stderr: host.stderr() }).toEqual({
    signal: victim === 'host' ? 'SIGKILL' : null,
    stderr: '',
  })
  return { kind, marker, store, result }
}

/** Eight hosts at a time, each with the next of the kinds. */
const crashes = async (victim: Victim, count: number, kinds: Kind[]): Promise<Iteration[]> => {
  const iterations: Iteration[] = []
  while (iterations.length < count) {
    const first = iterations.length
    const batch = Array.from({ length: Math.min(8, count - first) }, (_, offset) =>
      crash(victim, kinds[(first + offset) % kinds.length] as Kind),
    )
    iterations.push(...(await Promise.all(batch)))
  }
  return iterations
}

const isRunning = (pid: number): boolean => {
  try {
    // A zombie has no memory.
    return residentBytes(pid) > 0
  } catch {
    return false
  }
}

/** Checks a job that has ended with what is known of its command. */
const expectTrueEnd = async (job: Job, { kind, marker, store }: Iteration) => {
  expect({ status: job.status, exitCode: job.exitCode, output: (await store.read(job.id)).output }).toEqual(
    kind.end,
  )
  expect(textOf(job.outputFile)).toMatch(/\n\n\[background process [^\]]+\]$/)
  expect(processesWith(marker)).toEqual([])
}

/** The host is gone: a job that had started goes on, and everything else has ended. */
const expectTrueState = async (iteration: Iteration): Promise<void> => {
  const { store, marker, kind } = iteration
  // What was about to start may still do so, and what was being killed may still end.
  const job = await waitFor(
    async () => {
      const jobs = await store.list()
      expect(jobs.length).toBeLessThan(2)
      const [found] = jobs
      const isSettled =
        found === undefined
          ? processesWith(marker).length === 0
          : found.status !== 'running' || kind.end === undefined
      return isSettled ? (found ?? 'none') : undefined
    },
    { what: 'the command to be a job, or gone' },
  )
  if (job === 'none') return
  if (job.status !== 'running') return await expectTrueEnd(job, iteration)
  expect(isRunning(supervisorPid(job))).toBe(true)
}

/** The supervisor is gone: the job is lost unless it had ended before, and what still runs is known. */
const expectLostOrEnded = async (iteration: Iteration, job: Job): Promise<void> => {
  const { store, marker } = iteration
  if (job.status !== 'lost') return await expectTrueEnd(job, iteration)
  expect(isRunning(supervisorPid(job))).toBe(false)
  expect(await store.read(job.id)).toMatchObject({ status: 'lost', error: { code: 'ERR_SUPERVISOR_LOST' } })
  // Bash ends with its supervisor, in a moment. All others are in the group that the message names.
  await waitFor(
    async () => {
      const { status, error } = await store.kill(job.id)
      const left = processesWith(marker).map(({ pid }) => pid)
      const named = left.filter((pid) => error?.message.includes(` ${pid}`))
      return named.length === left.length && (status === 'error') === left.length > 0
    },
    { what: `the processes that ${job.id} has left to be named` },
  )
  if (processesWith(marker).length > 0) process.kill(-(job.record?.pgid ?? 0), 'SIGKILL')
}

const cleanUp = async ({ store, marker }: Iteration): Promise<void> => {
  const { directory } = store
  for (const { id, status } of await store.list()) {
    if (status === 'running') expect(['killed', 'not_running']).toContain((await store.kill(id)).status)
  }
  await waitFor(() => processesWith(marker).length === 0, { what: 'everything to be gone' })
  if (!existsSync(directory)) return
  // As if a minute had passed: a directory without a record may be that of a job about to start.
  for (const name of readdirSync(directory)) utimesSync(join(directory, name), 0, 0)
  await new JobStore({ directory, maxJobs: 0 }).cleanUp()
  expect(readdirSync(directory)).toEqual([])
}

test('a host killed at a random moment, 100 times: jobs live on, all else is gone', async () => {
  const iterations = await crashes('host', 100, [...background, foreground])

  for (const iteration of iterations) await expectTrueState(iteration)
  for (const iteration of iterations) await cleanUp(iteration)
}, 120_000)

test('the supervisor of a job killed at a random moment, 50 times: what is left is named', async () => {
  const iterations = await crashes('supervisor', 50, background)

  const statuses = new Set<string>()
  for (const iteration of iterations) {
    const [job, ...others] = await iteration.store.list()
    if (job === undefined) throw new Error('the job has vanished')
    expect(others).toEqual([])
    await expectLostOrEnded(iteration, job)
    statuses.add(job.status)
  }
  expect(statuses).toContain('lost')
  for (const iteration of iterations) await cleanUp(iteration)
}, 120_000)

test('a supervisor killed while it starts a job, 50 times: without a job nothing runs', async () => {
  const iterations = await crashes('starting supervisor', 50, [hasty])

  const unaccounted: string[] = []
  for (const iteration of iterations) {
    const { store, marker } = iteration
    const [job] = await store.list()
    if (job !== undefined) {
      await expectLostOrEnded(iteration, job)
    } else {
      // Bash ends with its supervisor, in a moment.
      await waitFor(() => processesWith(marker).every(({ args }) => args[0] === 'sleep'), { what: 'its end' })
      unaccounted.push(...processesWith(marker).map(({ pid, args }) => `${pid} ${args.join(' ')}`))
    }
  }
  expect(unaccounted).toEqual([])
  for (const iteration of iterations) await cleanUp(iteration)
}, 120_000)

test('a call whose supervisor is killed before the job has started says so', async () => {
  const iterations = await crashes('starting supervisor', 16, [{ ...hasty, latestMs: 1 }])

  // Some supervisors may have been faster.
  const failed = iterations.filter(({ result }) => result?.status !== 'background')
  expect(failed).not.toEqual([])
  for (const { result } of failed) {
    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_SUPERVISOR_LOST' } })
  }
}, 120_000)
