// One call of a bash tool, foreground or background, once its input and context are checked.

import { join } from 'node:path'
import { hasVariable } from '../environment/command-environment.js'
import {
  type KillCommand,
  killJobOfConversation,
  noteOwnJob,
  parseKillCommand,
} from '../jobs/kill-command.js'
import { type JobOwner, planAdoption, planJob } from '../jobs/plan.js'
import type { JobStore } from '../jobs/store.js'
import { simplifyCommand } from '../output/simplify-command.js'
import { blankResult } from '../run/blank-result.js'
import { elapsedMs } from '../run/elapsed.js'
import { execution } from '../run/load-execution.js'
import type { ResolvedOptions } from '../run/options.js'
import type { BashEvent, BashResult, SandboxMode } from '../run/result.js'
import { reachedLimit } from '../sandbox/reached-limit.js'
import { restrictedLimits } from '../sandbox/resource-limits.js'
import type { BashSession, SessionOutcome } from '../session/session.js'
import { notify } from '../util/listeners.js'
import { refuse, type Safety } from './safety.js'

export interface BashCall {
  command: string
  workingDir: string
  /** Milliseconds; of a background job the time after which it is killed. */
  timeoutMs: number
  background: boolean
  /** What the model can use for a command that takes longer; undefined: nothing. */
  moreTime?: string | undefined
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
  /** That store's, without making one for each command. */
  directory: () => string
  /** The size that the output file of a job is kept below, bytes. */
  outputLimit: number
}

/** What a tool was made with. */
export interface BashToolParts {
  options: ResolvedOptions
  jobs: JobOptions
  safety: Safety
}

type Execute = (call: BashCall, options: ResolvedOptions) => Promise<BashResult>

/** @throws {BashError} when the command cannot be started, or a safety rule of the host fails */
export async function callBash(call: BashCall, tool: BashToolParts): Promise<BashResult> {
  const { command, workingDir, background, session } = call
  const { sandbox } = tool.options
  const run: Execute = (placed, options) =>
    (background ? startBackground : runForeground)(placed, options, tool.jobs)
  const kill = background ? undefined : parseKillCommand(command)
  if (kill === undefined) {
    return await inSession(call, tool, (placed, options) =>
      checkFirst(placed, tool, () => run(placed, options)),
    )
  }
  // Does not wait for its turn: where it runs makes no difference.
  const here = { ...call, workingDir: session?.workingDirIn(sandbox) ?? workingDir }
  return await checkFirst(
    here,
    tool,
    async () => (await killOwnJob(call, kill, tool.jobs, sandbox)) ?? (await inSession(call, tool, run)),
  )
}

/** Executes the call where it is to run: a session knows only when its turn has come. */
async function inSession(call: BashCall, tool: BashToolParts, execute: Execute): Promise<BashResult> {
  const { command, workingDir, timeoutMs, session, cancel, onEvent } = call
  const options = { ...tool.options, cwd: workingDir, timeoutMs, cancelSignal: cancel, onOutput: onEvent }
  if (session === undefined) return await execute(call, options)

  const { sandbox } = options
  const turn = await session.run({ sandbox, cancelSignal: cancel }, async (request) => {
    const { prologue, prologueDescriptor, stateLimit } = request
    let state: Buffer | undefined
    const onState = (written: Buffer | undefined) => (state = written)
    const plan = { prologue, prologueDescriptor, stateLimit, onState }
    const placed = { ...call, workingDir: request.workingDir }
    const result = await execute(placed, { ...options, cwd: request.cwd, session: plan })
    return { result, end: endOf(result), state, cut: cutBy(result, state, options) }
  })
  if (turn === undefined) return blankResult(command, 'cancelled', sandbox)
  const { result, end, cut } = turn.outcome
  // A background job leaves nothing to a session by its nature, and a command that was refused or killed says so itself.
  if (turn.unsaved !== undefined && (end === 'exited' || cut !== undefined || turn.isFresh)) {
    result.sessionUnsaved = turn.unsaved
  } else if (turn.unsaved !== undefined && result.status === 'timed_out') {
    result.sessionUnsaved = lostAtTimeout(call)
  }
  return result
}

function lostAtTimeout({ moreTime }: BashCall): string {
  const lost = 'cd, export and the like of this call were lost at the timeout'
  return moreTime === undefined ? lost : `${lost}; for more time: ${moreTime}`
}

function endOf({ status, signal }: BashResult): SessionOutcome['end'] {
  if (status !== 'completed' && status !== 'failed') return 'stopped'
  return signal === null ? 'exited' : 'signalled'
}

/** The limit that may have cut the state of a session. What is written to it is no more than a file may hold. */
function cutBy(
  result: BashResult,
  state: Buffer | undefined,
  { sandbox, limits }: Pick<ResolvedOptions, 'sandbox' | 'limits'>,
): string | undefined {
  const { fileSizeBytes } = sandbox === 'restricted' ? restrictedLimits(limits) : limits
  const isFull = fileSizeBytes !== undefined && (state?.length ?? 0) >= fileSizeBytes
  return isFull ? reachedLimit({ limit: 'fileSize', limitValue: fileSizeBytes }) : reachedLimit(result)
}

async function checkFirst(
  { command, workingDir, background, session, cancel, onEvent }: BashCall,
  { options, safety }: BashToolParts,
  run: () => Promise<BashResult>,
): Promise<BashResult> {
  const { sandbox, environment, scratch } = options
  const current = environment.current()
  const { home } = current
  const display = simplifyCommand(command, workingDir, home)
  const refused = await refuse(safety, {
    command,
    workingDir,
    home,
    sandbox,
    cancel,
    hasVariable: (name) => session?.holdsVariable(sandbox, name) ?? hasVariable(current, scratch, name),
    // Nobody waits for a job.
    terminal: background,
  })
  if (refused !== undefined) return { ...refused, display }
  notify(onEvent, { type: 'start', command, display })
  return { ...(await run()), display }
}

/**
 * What the text about a job tells the model to call. In Restricted mode the kernel refuses it to a command; and what a
 * foreground command has left may be in other groups and sessions than that one, which only its supervisor knows.
 *
 * @returns undefined when there is no such job, and where the command itself can try
 */
async function killOwnJob(
  { command, owner, cancel }: BashCall,
  kill: KillCommand,
  { store }: JobOptions,
  sandbox: SandboxMode,
): Promise<BashResult | undefined> {
  if (cancel?.aborted === true) return undefined
  const isRestricted = sandbox === 'restricted'
  const killed = killJobOfConversation(store, owner.conversationId, kill, isRestricted ? 'any' : 'adopted')
  const output = await (isRestricted ? killed : killed.catch(() => undefined))
  if (output === undefined) return undefined
  const outputBytes = Buffer.byteLength(output)
  return { ...blankResult(command, 'completed', sandbox), exitCode: 0, output, outputBytes }
}

async function runForeground(
  call: BashCall,
  options: ResolvedOptions,
  { directory, outputLimit }: JobOptions,
): Promise<BashResult> {
  const adoption = options.killSurvivors ? undefined : planAdoption(directory, call, outputLimit)
  const result = await execution().execute(call.command, { ...options, adoption })
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
  const { pid, protections, removedEnv } = await execution().startJob(command, options, plan)
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
/** By the directory of jobs. */
const nextCleanUps = new Map<string, number>()

/** Housekeeping that no call waits for, and that fails none. */
function cleanUpNowAndThen(store: JobStore): void {
  const now = performance.now()
  if (now < (nextCleanUps.get(store.directory) ?? 0)) return
  nextCleanUps.set(store.directory, now + cleanUpIntervalMs)
  store.cleanUp().catch(() => {})
}
