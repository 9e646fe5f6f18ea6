// A background job, from its start to its last words. Runs in a process of its own, which is its supervisor.

import { closeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { ownStartTime } from '../../jobs/identity.js'
import { helper } from './helper.js'
import { type JobEnd, JobFiles } from './job-files.js'
import type { JobRequest } from './job-request.js'
import { PipeReader } from './pipe-reader.js'
import { ProcessGroup } from './process-group.js'
import { startShell } from './shell.js'
import { openPipes } from './temporary.js'

type KillReason = 'asked' | 'timedOut' | 'leaderKilled'

interface Exit {
  exitCode: number | null
  signal: NodeJS.Signals | null
}

interface Running {
  group: ProcessGroup
  output: PipeReader
  exit: Promise<Exit>
}

export class Job {
  readonly #request: JobRequest
  readonly #files: JobFiles
  #running: Running | undefined
  #reason: KillReason | undefined
  #killed: Promise<'SIGTERM' | 'SIGKILL'> | undefined

  constructor(request: JobRequest) {
    this.#request = request
    this.#files = new JobFiles(request.job)
  }

  /**
   * @returns the pid of its shell, also its process group, when it is on the disk
   * @throws {StepError} (rejects) when it does not run
   */
  async start(): Promise<number> {
    this.#files.create()
    const [{ reader, writer } = { reader: -1, writer: -1 }] = await openPipes(1)
    const shell = await startShell(this.#request, [writer, writer]).finally(() => closeSync(writer))
    shell.takeState()
    const { pid, child } = shell
    helper.watch(pid)
    const group = new ProcessGroup(pid)
    const onBytes = (bytes: Buffer) => {
      this.#files.append(bytes)
      return true
    }
    const output = new PipeReader(reader, { onBytes, onEnd: () => {} })
    const exit = new Promise<Exit>((resolve) => {
      child.once('exit', (exitCode, signal) => {
        output.readAvailable()
        if (signal !== null) this.#kill('leaderKilled')
        resolve({ exitCode, signal })
      })
    })
    this.#running = { group, output, exit }
    this.#describe(group)
    const { limitMs } = this.#request.job
    if (limitMs > 0) setTimeout(() => this.#kill('timedOut'), limitMs)
    return pid
  }

  #describe(group: ProcessGroup): void {
    const supervisor = { pid: process.pid, startTime: ownStartTime() ?? 0 }
    try {
      // There is no start time when it has ended already, or /proc shows other processes.
      this.#files.describe(group.pgid, group.startTime ?? 0, supervisor)
    } catch (error) {
      group.signal('SIGKILL')
      throw error
    }
  }

  kill(): void {
    this.#kill('asked')
  }

  #kill(reason: KillReason): void {
    this.#reason ??= reason
    this.#killed ??= this.#running?.group.end(this.#request.graceMs)
  }

  /** Waits until nothing of the group runs, and writes the last words. */
  async ended(): Promise<void> {
    if (this.#running === undefined) return
    const { group, output, exit } = this.#running
    const { exitCode, signal } = await exit
    // What it has started may go on for hours. Killed meanwhile, it may be given up in the end.
    await group.gone(lookMs)
    while (this.#killed === undefined && group.members().length > 0) await delay(lookMs)
    const lastSignal = (await this.#killed) ?? null
    output.readAvailable()
    this.#files.finish(this.#endOf(exitCode, signal, lastSignal))
  }

  #endOf(exitCode: number | null, signal: NodeJS.Signals | null, lastSignal: NodeJS.Signals | null): JobEnd {
    if (this.#reason === 'timedOut') return { status: 'timed_out', exitCode: null, signal: lastSignal }
    if (signal !== null) return { status: 'killed', exitCode: null, signal }
    if (this.#reason === 'asked') return { status: 'killed', exitCode: null, signal: lastSignal }
    return { status: exitCode === 0 ? 'completed' : 'failed', exitCode, signal: null }
  }
}

/** How often it is looked for what the shell has left. */
const lookMs = 250
