// One call of a tool that runs bash, whoever makes it. Its input and context have been checked.

import { type EncodedEnvironment, hasVariable } from '../environment/command-environment.js'
import { noteOwnJob, parseKillCommand } from '../jobs/kill-command.js'
import { planAdoption, planHandOver, planJob } from '../jobs/plan.js'
import { cleanUpNowAndThen } from '../jobs/store.js'
import { simplifyCommand } from '../output/simplify-command.js'
import type { LoginEnvironment } from '../run/login/login-environments.js'
import type { ResolvedOptions } from '../run/options.js'
import { type BashResult, blankResult } from '../run/result.js'
import { execution, loginEnvironments } from '../run/run.js'
import { checkWith } from '../safety/check-command.js'
import type { Verdict } from '../safety/verdict.js'
import { isCacheVariable } from '../sandbox/network-policy.js'
import { isPreset, type SandboxMode, type SandboxPolicy } from '../sandbox/policy.js'
import { limitMessage, restrictedLimits } from '../sandbox/resource-limits.js'
import type { SessionTurn } from '../session/session-mode.js'
import { homeDirectory } from '../util/directories.js'
import { notify, onAbort } from '../util/listeners.js'
import type { ResolvedContext } from './context.js'
import { killOwnJob } from './kill-own-job.js'
import type { Safety } from './safety.js'
import { type JobOptions, type ModeOptions, optionsFor } from './tool-options.js'

export interface Call extends ResolvedContext<never> {
  tool: ToolParts
  command: string
  /** Milliseconds; of a background job the time after which it is killed. */
  timeoutMs: number
  background: boolean
  /** Milliseconds after which it goes on as a job. Default: what the tool was made with. */
  backgroundAfter?: number
  /** What the model can use for a command that takes longer; undefined: nothing. */
  moreTime?: () => string | undefined
}

/** What a tool was made with. */
export interface ToolParts {
  modes: ModeOptions
  safety: Safety
  /** Undefined: the tool has no jobs. */
  jobs?: JobOptions
}

/** How the command will run. In a session that is known only once the call has its turn. */
interface Plan {
  workingDir: string
  environment: EncodedEnvironment
  /** The command as a user interface should show it. */
  display: string
  options: ResolvedOptions
}

/** @throws {BashError} when the command cannot be started, or a safety rule of the host fails */
export async function runCall(call: Call): Promise<BashResult> {
  const { command, sandbox, session, background, tool } = call
  const asked = optionsFor(tool.modes, call)
  const kill = background ? undefined : parseKillCommand(command)
  if (kill !== undefined) {
    // Killing a job needs no turn in the session: it depends on none of its state.
    const plan = planCall(call, asked, session?.workingDirIn(stateOf(asked)))
    const done = (await checkSafety(call, plan)) ?? (await killOwnJob({ ...call, jobs: tool.jobs }, kill))
    if (done !== undefined) return done
  }
  const turn = await session?.enter({ sandbox: stateOf(asked), cancelSignal: call.cancel })
  if (session !== undefined && turn === undefined) return blankResult(command, 'cancelled', sandbox)
  try {
    const login = asked.environment.login ? await loginEnvironmentFor(call, asked) : undefined
    const options = login === undefined ? asked : { ...asked, environment: login.environment }
    const plan = planCall(call, options, turn?.workingDir, turn)
    // A kill that found no job has been checked above, and runs as any command.
    const refused = kill === undefined ? await checkSafety(call, plan) : undefined
    if (refused !== undefined) return refused
    const starting =
      background && tool.jobs ? startInBackground(call, plan, tool.jobs) : runInForeground(call, plan)
    const result = await starting.catch(async (error: unknown) => {
      throw turn === undefined ? error : await turn.explain(error)
    })
    result.display = plan.display
    login?.tell(result)
    return turn === undefined ? result : await leaveSession(call, turn, result)
  } finally {
    turn?.release()
  }
}

/** Of a session that of its beginning: what its commands have changed since is state of its own. */
async function loginEnvironmentFor(
  { workingDir, session, cancel: cancelSignal }: Call,
  asked: ResolvedOptions,
): Promise<LoginEnvironment> {
  const cwd = session?.initialDirectory ?? workingDir
  const beginning = session && { session, state: session.stateName(stateOf(asked)) }
  const options = { ...asked, cwd, policyBase: cwd, cancelSignal }
  return await loginEnvironments().loginEnvironment(options, beginning)
}

/** Where the next call with this context would run: a session has a directory for each sandbox. */
export const directoryFor = (modes: ModeOptions, context: ResolvedContext<never>): string =>
  context.session?.workingDirIn(stateOf(optionsFor(modes, context))) ?? context.workingDir

/** What the states of a session are told apart by. */
const stateOf = ({ sandbox, policy }: ResolvedOptions): SandboxMode | SandboxPolicy =>
  sandbox === 'custom' || !isPreset(policy) ? (policy ?? 'restricted') : sandbox

function planCall(
  call: Call,
  options: ResolvedOptions,
  workingDir = call.workingDir,
  turn?: SessionTurn,
): Plan {
  const { command, timeoutMs, cancel: cancelSignal, onEvent: onOutput, session } = call
  const { backgroundAfter = options.backgroundAfter } = call
  // The directory of a session is its commands' choice, and must not take their roots with it.
  const policyBase = session?.initialDirectory ?? workingDir
  const environment = options.environment.current()
  return {
    workingDir,
    environment,
    display: simplifyCommand(command, workingDir, environment.home),
    options: {
      ...options,
      cwd: turn?.cwd ?? workingDir,
      policyBase,
      timeoutMs,
      backgroundAfter,
      cancelSignal,
      onOutput,
      session: turn,
    },
  }
}

/**
 * Checks the command, and emits the start event when it may run. A long command is checked while the event loop goes on.
 *
 * @returns the result of a command that may not run: `rejected`, or `cancelled` while it was being checked
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
async function checkSafety(
  { command, sandbox, session, cancel, onEvent, background, tool }: Call,
  { workingDir, environment, display, options }: Plan,
): Promise<BashResult | undefined> {
  if (tool.safety !== undefined) {
    if (cancel?.aborted === true) return { ...blankResult(command, 'cancelled', sandbox), display }
    const { rules, lastRules } = tool.safety
    const checked = checkWith(command, {
      rules,
      // Nobody waits for a job.
      lastRules: background ? [] : lastRules,
      workingDir,
      home: environment.home ?? homeDirectory(),
      hasVariable: (name) =>
        session?.holdsVariable(stateOf(options), name) ??
        (hasVariable(environment, options.scratch, name) ||
          isCacheVariable(options.policy?.network ?? false, name)),
    })
    const verdict = checked instanceof Promise ? await unlessCancelled(checked, cancel) : checked
    if (verdict === undefined) return { ...blankResult(command, 'cancelled', sandbox), display }
    if (!verdict.allowed) {
      const { rule, match, message } = verdict
      return {
        ...blankResult(command, 'rejected', sandbox),
        display,
        rejection: { rule, match },
        error: { code: 'ERR_COMMAND_REJECTED', message },
      }
    }
  }
  notify(onEvent, { type: 'start', command, display })
  return undefined
}

async function unlessCancelled(
  checked: Promise<Verdict>,
  cancel: AbortSignal | undefined,
): Promise<Verdict | undefined> {
  let release = () => {}
  const cancelled = new Promise<undefined>((resolve) => {
    release = onAbort(cancel, () => resolve(undefined))
  })
  try {
    return await Promise.race([checked, cancelled])
  } finally {
    release()
  }
}

async function runInForeground(
  { command, owner, sandbox, cancel, tool }: Call,
  plan: Plan,
): Promise<BashResult> {
  const { workingDir, display, options } = plan
  if (tool.jobs !== undefined && !options.killSurvivors) {
    const { directory, outputLimit } = tool.jobs
    const call = { command, workingDir, owner, startedAt: Date.now() }
    options.adoption = () => planAdoption(directory, call, outputLimit)
  }
  if (tool.jobs !== undefined && options.backgroundAfter !== undefined) {
    const { directory, outputLimit } = tool.jobs
    const call = { command, workingDir, owner, startedAt: Date.now(), limitMs: options.timeoutMs }
    options.handOver = () => planHandOver(directory, call, outputLimit)
  }
  const result = await execution().execute(command, options, display)
  if (result.jobId !== undefined) noteOwnJob(result.jobId)
  if (result.savedOutput !== undefined && tool.jobs !== undefined) cleanUpOf(tool.jobs)
  if (result.status !== 'background' || result.jobId === undefined || tool.jobs === undefined) return result
  const store = tool.jobs.store()
  if (cancel?.aborted === true) {
    // It came too late for the engine: nobody would learn of the job.
    await store.kill(result.jobId)
    return { ...blankResult(command, 'cancelled', sandbox), display }
  }
  cleanUpOf(tool.jobs)
  return result
}

/** Where there is no directory for jobs, none have to be removed. */
function cleanUpOf({ store }: JobOptions): void {
  try {
    cleanUpNowAndThen(store())
  } catch {
    // ERR_JOB_DIRECTORY
  }
}

async function startInBackground(
  { command, owner, sandbox, timeoutMs: limitMs, cancel }: Call,
  { workingDir, options }: Plan,
  { store, outputLimit }: JobOptions,
): Promise<BashResult> {
  const isCancelled = () => cancel?.aborted === true
  if (isCancelled()) return blankResult(command, 'cancelled', sandbox)
  const planned = { command, workingDir, owner, startedAt: Date.now(), limitMs, outputLimit, adopted: false }
  const job = planJob(store().directory, planned)
  const result = await execution().startJob(command, options, job)
  noteOwnJob(job.id)
  if (isCancelled()) {
    // Cancelled while it started: nobody would learn of it.
    await store().kill(job.id)
    return blankResult(command, 'cancelled', sandbox)
  }
  cleanUpNowAndThen(store())
  return result
}

async function leaveSession(call: Call, turn: SessionTurn, result: BashResult): Promise<BashResult> {
  const { status, signal } = result
  const isOver = status === 'completed' || status === 'failed'
  const end = !isOver ? 'stopped' : signal === null ? 'exited' : 'signalled'
  const cut = cutBy(result, turn.state, optionsFor(call.tool.modes, call))
  const { unsaved, isFresh } = await turn.leave({ end, cut })
  if (unsaved === undefined) return result
  // A background job leaves nothing to a session by its nature, and a command that was killed says so itself.
  if (result.backgroundAfterMs !== undefined) {
    result.sessionUnsaved = 'the command goes on as a job, and leaves nothing to the session'
  } else if (end === 'exited' || cut !== undefined || isFresh) {
    result.sessionUnsaved = unsaved
  } else if (status === 'timed_out') {
    const moreTime = call.moreTime?.()
    const lost = 'cd, export and the like of this call were lost at the timeout'
    result.sessionUnsaved = moreTime === undefined ? lost : `${lost}; for more time: ${moreTime}`
  }
  return result
}

/** The limit that may have cut the state of a session. What is written to it is no more than a file may hold. */
function cutBy(
  result: BashResult,
  state: Buffer | undefined,
  { sandbox, limits }: ResolvedOptions,
): string | undefined {
  const { fileSizeBytes } = sandbox === 'unrestricted' ? limits : restrictedLimits(limits)
  const isFull = fileSizeBytes !== undefined && (state?.length ?? 0) >= fileSizeBytes
  return isFull ? limitMessage({ limit: 'fileSize', limitValue: fileSizeBytes }) : limitMessage(result)
}
