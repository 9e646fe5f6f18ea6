// Background jobs with real supervisors, in a directory of the test. Nothing of them is left behind.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, remainingGroup } from '../../../lib/base/util/process-identity.js'
import {
  type BashTool,
  type BashToolOptions,
  createBashTool,
  type Job,
  JobStore,
} from '../../../lib/index.js'
import { killHosts } from '../../support/host.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

export interface LiveJob {
  id: string
  /** Of bash, also its process group. */
  pid: number
  outputFile: string
}

export interface LiveJobs {
  directory: string
  store: JobStore
  tool: BashTool
  /** Starts a background job. */
  start(command: string): Promise<LiveJob>
}

const stores = new Set<JobStore>()

/** A store whose jobs end with the test, whoever starts them. */
export const liveStore = (directory: string): JobStore => {
  const store = new JobStore({ directory })
  stores.add(store)
  return store
}

/** A store in a new directory, and a tool that starts jobs in it. */
export const liveJobs = (options: BashToolOptions = {}): LiveJobs => {
  const directory = join(tempDir(), 'jobs')
  const store = liveStore(directory)
  const tool = createBashTool({ ...options, jobs: store })
  const start = async (command: string): Promise<LiveJob> => {
    const result = await tool.execute({ command, mode: 'background' }, { workingDir: '/' })
    const { jobId: id, pid, outputFile, error } = result
    if (id === undefined || pid === undefined || outputFile === undefined) throw new Error(error?.message)
    return { id, pid, outputFile }
  }
  return { directory, store, tool, start }
}

/** A file that a command waits for: `until [ -e PATH ]; do sleep .02; done`. */
export interface Gate {
  /** The shell command that waits. */
  wait: string
  open(): void
}

export const gate = (): Gate => {
  const path = join(tempDir(), 'open')
  return { wait: `until [ -e ${path} ]; do sleep .02; done`, open: () => writeFileSync(path, '') }
}

export const supervisorPid = ({ record }: Job): number => {
  if (record === null) throw new Error('the job has no record')
  return record.supervisor.pid
}

export const textOf = (file: string): string => readFileSync(file, 'utf8')

/** Waits until the job has printed `text`. */
export const waitForOutput = async (file: string, text: string): Promise<void> => {
  await waitFor(() => textOf(file).includes(text), { what: `${text} in ${file}` })
}

const sendIfAlive = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

const endJob = async (store: JobStore, { id, record }: Job): Promise<void> => {
  if (record === null) return
  const { pgid, startTime, bootId } = record
  const supervisor = { ...record.supervisor, bootId }
  if (isAlive(supervisor)) {
    // Should the supervisor not do its work, the test has failed; what it watched over must go all the same.
    const { status } = await store.kill(id, { timeoutMs: 5000 }).catch(() => ({ status: 'error' }))
    if (status === 'error' && isAlive(supervisor)) sendIfAlive(supervisor.pid, 'SIGKILL')
  }
  await waitFor(() => !isAlive(supervisor), { what: `the supervisor of ${id} to end` })
  for (const pid of remainingGroup({ pid: pgid, startTime, bootId })) sendIfAlive(pid, 'SIGKILL')
}

/** Ends the hosts, the jobs and the processes of a test, and removes its directories. For `afterEach`. */
export const leaveNothing = async (): Promise<void> => {
  await killHosts()
  for (const store of stores) {
    for (const job of await store.list().catch(() => [])) await endJob(store, job)
  }
  stores.clear()
  killLeftovers()
  removeTempDirs()
}
