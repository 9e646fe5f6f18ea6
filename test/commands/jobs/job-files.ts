// Jobs as supervisors leave them on disk, and real processes that stand in for supervisors.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { bootId, pidNamespace, processStartTime } from '../../../lib/base/util/process-identity.js'
import { type JobPaths, jobPaths } from '../../../lib/commands/jobs/directory.js'
import { jobPrefix } from '../../../lib/commands/jobs/plan.js'
import type { JobDescription } from '../../../lib/commands/jobs/record.js'
import type { JobExit } from '../../../lib/processes/engine/job-format/exit.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

export interface ProcessNumbers {
  pid: number
  startTime: number
}

/** A pid that no process has: the kernel's largest is 4194304 (proc_sys_kernel(5)). */
export const nobody: ProcessNumbers = { pid: 4_194_304, startTime: 1 }

/** A directory of jobs, empty, as the package would create it. */
export const jobsDirectory = (owner?: number): string => {
  const root = tempDir({ owner })
  chmodSync(root, 0o700)
  return root
}

export interface JobFiles extends Partial<JobDescription> {
  supervisor?: ProcessNumbers
  /** Of bash. */
  leader?: ProcessNumbers
  output?: string | Buffer
  /** Appended to the output. */
  statusLine?: string
  /** Written to exit.json over sensible values; without it there is no exit.json. */
  exit?: Partial<JobExit>
}

export const exitOf = (exit: Partial<JobExit> = {}): JobExit => ({
  status: 'completed',
  exitCode: 0,
  signal: null,
  endedAt: Date.now(),
  outputBytes: 0,
  droppedBytes: 0,
  lostBytes: 0,
  lostErrno: 0,
  userMs: 1,
  systemMs: 2,
  maxRssBytes: 3_000_000,
  statusLineBytes: 0,
  ...exit,
})

export const descriptionOf = (id: string, job: Partial<JobDescription> = {}): JobDescription => ({
  id,
  command: 'sleep 1',
  workingDir: '/tmp',
  conversationId: null,
  toolCallId: null,
  createdAt: Date.now(),
  bootId: bootId(),
  pidNamespace: pidNamespace(),
  timeoutMs: 86_400_000,
  maxOutputBytes: 1024 ** 3,
  adopted: false,
  ...job,
})

/** The text of job.json: the prefix, and what a supervisor appends to it. */
export const recordText = (
  description: JobDescription,
  supervisor: ProcessNumbers,
  leader: ProcessNumbers = nobody,
): string => {
  const { pid, startTime } = leader
  const processes = `"pid":${pid},"pgid":${pid},"startTime":${startTime}`
  const { pid: supervisorPid, startTime: supervisorStart } = supervisor
  return `${jobPrefix(description)}${processes},"supervisor":{"pid":${supervisorPid},"startTime":${supervisorStart}}}`
}

/** Writes the files of a job. Without a supervisor it is nobody's: lost, unless it has an `exit`. */
export const writeJob = (root: string, id: string, files: JobFiles = {}): JobPaths => {
  const { supervisor = nobody, leader, output = '', statusLine = '', exit, ...description } = files
  const paths = jobPaths(root, id)
  mkdirSync(paths.directory, { mode: 0o700, recursive: true })
  const bytes = Buffer.from(output)
  writeFileSync(paths.output, Buffer.concat([bytes, Buffer.from(statusLine)]), { mode: 0o600 })
  writeFileSync(paths.record, recordText(descriptionOf(id, description), supervisor, leader))
  if (exit !== undefined) {
    const sizes = { outputBytes: bytes.length, statusLineBytes: Buffer.byteLength(statusLine) }
    writeExit(paths, { ...sizes, ...exit })
  }
  return paths
}

export const writeExit = (paths: JobPaths, exit: Partial<JobExit>): void =>
  writeFileSync(paths.exit, JSON.stringify({ version: 1, ...exitOf(exit) }))

const started = new Set<StandIn>()

/** A real process of a test. */
export interface StandIn extends ProcessNumbers {
  child: ChildProcess
  /** What it printed first. */
  firstOutput: string
  /** Ends it, and its process group when it leads one, and waits until it is reaped. */
  stop(): Promise<void>
}

/** Starts a program that prints something as soon as it is ready. */
export const startChild = async (program: string, args: string[], detached = false): Promise<StandIn> => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], detached })
  let firstOutput: string | undefined
  child.stdout?.setEncoding('utf8').once('data', (text: string) => {
    firstOutput = text
  })
  const pid = child.pid ?? 0
  if (pid <= 1) throw new Error(`${program} did not start`)
  const stop = async () => {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    if (detached) {
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {
        // Nobody is left in the group.
      }
    } else if (!hasEnded()) child.kill('SIGKILL')
    await waitFor(hasEnded, { what: `${program} to end` })
    started.delete(standIn)
  }
  const standIn: StandIn = { child, firstOutput: '', pid, startTime: processStartTime(pid) ?? 0, stop }
  started.add(standIn)
  standIn.firstOutput = await waitFor(() => firstOutput, { what: `${program} to be ready` })
  return standIn
}

/** A process that does nothing but be there, for five minutes at most. */
export const startSleep = (): Promise<StandIn> => startChild('bash', ['--norc', '-c', 'echo; exec sleep 300'])

/** A shell that leads a session, and a child in its group. */
export const startGroup = (): Promise<StandIn> =>
  startChild('bash', ['--norc', '-c', 'sleep 300 & echo; wait'], true)

const SUPERVISOR = `
  const { renameSync, writeFileSync } = require('node:fs')
  const [file, text] = process.argv.slice(1)
  process.on('SIGUSR1', () => {
    writeFileSync(file + '.tmp', text)
    renameSync(file + '.tmp', file)
    process.exit()
  })
  setTimeout(() => {}, 300_000)
  console.log()`

/** A process that at SIGUSR1 writes `exit` to the job's exit.json, as a supervisor does, and ends. */
export const startSupervisor = (paths: JobPaths, exit: Partial<JobExit>): Promise<StandIn> => {
  const text = JSON.stringify({ version: 1, ...exitOf(exit) })
  return startChild(process.execPath, ['-e', SUPERVISOR, paths.exit, text])
}

/** Ends the processes that a test has left. For `afterEach`. */
export const stopAll = async (): Promise<void> => {
  for (const standIn of [...started]) await standIn.stop()
}

/** Signals as the native engine does: not a process that began at another time. */
export const signalProcess = (pid: number, startTime: number, signal: number): number => {
  if (pid <= 1 || processStartTime(pid) !== startTime) return constants.errno.ESRCH
  process.kill(pid, signal)
  return 0
}
