// One call of a bash tool, foreground or background, once its input and context are checked.

import { join } from 'node:path'
import { elapsedMs } from '../engine/elapsed.js'
import { execute } from '../engine/execute.js'
import type { ResolvedOptions } from '../engine/options.js'
import { blankResult } from '../engine/result.js'
import { startJob } from '../engine/start-job.js'
import { killJobOfConversation, noteOwnJob, parseKillCommand } from '../jobs/kill-command.js'
import { type JobOwner, planAdoption, planJob } from '../jobs/plan.js'
import type { JobStore } from '../jobs/store.js'
import { notify } from '../listener.js'
import type { BashEvent, BashResult } from '../result.js'
import type { BashSession } from '../session/session.js'

export interface BashCall {
  command: string
  workingDir: string
  /** Milliseconds; of a background job the time after which it is killed. */
  timeoutMs: number
  background: boolean
  owner: JobOwner
  /** Remembers what calls leave; its directory is the one that counts. */
  session: BashSession | undefined
  cancel: AbortSignal | undefined
  onEvent: ((event: BashEvent) => void) | undefined
}

/** Where jobs go. */
export interface JobOptions {
  /** May throw ERR_JOB_DIRECTORY: there may be no home directory. */
  store: () => JobStore
  /** The size that the output file of a job is kept below, bytes. */
  outputLimit: number
}

/** @throws {BashError} when the command cannot be started */
export async function callBash(call: BashCall, base: ResolvedOptions, jobs: JobOptions): Promise<BashResult> {
  const { command, workingDir, timeoutMs, session, cancel, onEvent } = call
  notify(onEvent, { type: 'start', command, display: command })
  const options = { ...base, cwd: workingDir, timeoutMs, cancelSignal: cancel, onOutput: onEvent }
  const run = call.background ? startBackground : runForeground
  if (base.sandbox === 'restricted' && !call.background) {
    const killed = await killOwnJob(call, jobs)
    if (killed !== undefined) return killed
  }
  if (session === undefined) return await run(call, options, jobs)

  const { sandbox } = base
  const turn = await session.run({ sandbox, cancelSignal: cancel }, async ({ cwd, prologue, stateLimit }) => {
    let state: Buffer | undefined
    const plan = { prologue, stateLimit, onState: (written: Buffer | undefined) => (state = written) }
    const result = await run({ ...call, workingDir: cwd }, { ...options, cwd, session: plan }, jobs)
    // A shell that a signal ends may have run its EXIT trap, but not to its own end.
    return { result, state: result.signal === null ? state : undefined }
  })
  return turn?.outcome.result ?? blankResult(command, 'cancelled', sandbox)
}

/**
 * What a background job's reminder tells the model to call. The kernel refuses it to a command in Restricted mode.
 *
 * @returns undefined when the command is another, or there is no such job
 */
async function killOwnJob(
  { command, owner, cancel }: BashCall,
  { store }: JobOptions,
): Promise<BashResult | undefined> {
  const kill = parseKillCommand(command)
  if (kill === undefined || cancel?.aborted === true) return undefined
  const output = await killJobOfConversation(store, owner.conversationId, kill)
  if (output === undefined) return undefined
  const outputBytes = Buffer.byteLength(output)
  return { ...blankResult(command, 'completed', 'restricted'), exitCode: 0, output, outputBytes }
}

async function runForeground(
  call: BashCall,
  options: ResolvedOptions,
  { store, outputLimit }: JobOptions,
): Promise<BashResult> {
  const adoption = options.killSurvivors ? undefined : planAdoption(store, call, outputLimit)
  const result = await execute(call.command, { ...options, adoption })
  if (result.jobId !== undefined) noteOwnJob(result.jobId)
  return result
}

async function startBackground(
  { command, workingDir, owner, timeoutMs, cancel }: BashCall,
  options: ResolvedOptions,
  { store, outputLimit }: JobOptions,
): Promise<BashResult> {
  const isCancelled = () => cancel?.aborted === true
  const { sandbox } = options
  if (isCancelled()) return blankResult(command, 'cancelled', sandbox)
  const startedAt = performance.now()
  const planned = { command, workingDir, owner, limitMs: timeoutMs, outputLimit, adopted: false }
  const plan = planJob(store().directory, planned)
  const { pid, protections, removedEnv } = await startJob(command, options, plan)
  noteOwnJob(plan.id)
  if (isCancelled()) {
    // Cancelled while it started: nobody would learn of it.
    await store().kill(plan.id)
    return blankResult(command, 'cancelled', sandbox)
  }
  cleanUpNowAndThen(store())
  return {
    ...blankResult(command, 'background', sandbox),
    enforced: protections,
    durationMs: elapsedMs(startedAt),
    pid,
    pgid: pid,
    jobId: plan.id,
    outputFile: join(plan.directory, 'output'),
    removedEnv: [...removedEnv],
  }
}

const cleanUpIntervalMs = 600_000
let nextCleanUp = 0

/** Housekeeping that no call waits for, and that fails none. */
function cleanUpNowAndThen(store: JobStore): void {
  const now = performance.now()
  if (now < nextCleanUp) return
  nextCleanUp = now + cleanUpIntervalMs
  store.cleanUp().catch(() => {})
}
