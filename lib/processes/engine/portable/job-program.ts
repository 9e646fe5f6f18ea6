// The process of a background job, which is its supervisor: started by job-process.ts, it reads a request from stdin,
// answers on stdout, and lives until nothing of the job runs any more.

import { closeSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { ownStartTime } from '../../../base/util/process-identity.js'
import { asStepError } from './completion.js'
import { helper } from './helper.js'
import { type JobEnd, JobFiles } from './job-files.js'
import type { JobAnswer, JobRequest } from './job-process.js'
import { PipeReader } from './pipe-reader.js'
import { ProcessGroup } from './process-group.js'
import { startShell } from './start-shell.js'
import { openPipes } from './temporary.js'

/** Milliseconds between two looks for what the shell has left running. */
const lookMs = 250

interface Exit {
  exitCode: number | null
  signal: NodeJS.Signals | null
}

interface Running {
  group: ProcessGroup
  output: PipeReader
  exit: Promise<Exit>
}

/** The first reason to kill it, and the last signal that was sent. */
let reason: 'asked' | 'timedOut' | 'leaderKilled' | undefined
let killed: Promise<'SIGTERM' | 'SIGKILL'> | undefined

async function main(): Promise<void> {
  // Node's own use of the signal is its debugger. The others mean the host, or whoever sends them to everything.
  for (const signal of ['SIGUSR1', 'SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const request: JobRequest = deserialize(readFileSync(0))
  const { graceMs, job } = request
  const files = new JobFiles(job)
  let running: Running
  try {
    files.create()
    running = await start(request, files)
  } catch (error) {
    const { step, errno } = asStepError(error)
    return answer({ step, errno })
  }
  const { group, output, exit } = running
  process.on('SIGUSR1', () => kill(group, graceMs, 'asked'))
  if (job.limitMs > 0) setTimeout(() => kill(group, graceMs, 'timedOut'), job.limitMs)
  answer({ pid: group.pgid })

  const shellExit = await exit
  // What it has started may go on for hours. Killed meanwhile, it may be given up in the end.
  await group.gone(lookMs)
  while (killed === undefined && group.members().length > 0) await delay(lookMs)
  const lastSignal = (await killed) ?? null
  output.readAvailable()
  files.finish(endOf(shellExit, lastSignal))
}

/**
 * Resolves when its shell runs, and the job is on the disk.
 *
 * @throws {StepError} (rejects) when it does not run
 */
async function start(request: JobRequest, files: JobFiles): Promise<Running> {
  const [{ reader, writer } = { reader: -1, writer: -1 }] = await openPipes(1)
  const shell = await startShell(request, [writer, writer]).finally(() => closeSync(writer))
  shell.takeState()
  const { pid, child } = shell
  helper.watch(pid)
  const group = new ProcessGroup(pid)
  const output = new PipeReader(reader, (bytes) => {
    files.append(bytes)
    return true
  })
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      output.readAvailable()
      if (signal !== null) kill(group, request.graceMs, 'leaderKilled')
      resolve({ exitCode, signal })
    })
  })
  try {
    const supervisor = { pid: process.pid, startTime: ownStartTime() ?? 0 }
    // There is no start time when it has ended already, or /proc shows other processes.
    files.describe(pid, group.startTime ?? 0, supervisor)
  } catch (error) {
    group.signal('SIGKILL')
    throw error
  }
  return { group, output, exit }
}

/** Nothing happens when all of it has ended already, and its end is only still to be told. */
function kill(group: ProcessGroup, graceMs: number, why: NonNullable<typeof reason>): void {
  if (why !== 'leaderKilled' && group.members().length === 0) return
  reason ??= why
  killed ??= group.end(graceMs)
}

function endOf({ exitCode, signal }: Exit, lastSignal: NodeJS.Signals | null): JobEnd {
  if (reason === 'timedOut') return { status: 'timed_out', exitCode: null, signal: lastSignal }
  if (signal !== null) return { status: 'killed', exitCode: null, signal }
  if (reason === 'asked') return { status: 'killed', exitCode: null, signal: lastSignal }
  return { status: exitCode === 0 ? 'completed' : 'failed', exitCode, signal: null }
}

function answer(message: JobAnswer): void {
  try {
    writeSync(1, `${JSON.stringify(message)}\n`)
  } catch {
    // The host is gone. The job is on the disk, and goes on.
  }
  closeSync(1)
}

main().finally(() => process.exit())
