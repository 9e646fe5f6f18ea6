// One call of a tool that runs bash, whoever makes it. Its input and context have been checked.

import { noteOwnJob, parseKillCommand } from '../jobs/kill-command.js'
import { planAdoption, planHandOver, planJob } from '../jobs/plan.js'
import { cleanUpNowAndThen } from '../jobs/store.js'
import { simplifyCommand } from '../output/simplify-command.js'
import type { LoginEnvironment } from '../run/login/login-environments.js'
import type { ResolvedOptions } from '../run/options.js'
import { type BashResult, blankResult } from '../run/result.js'
import { execution, loginEnvironments } from '../run/run.js'
import { limitMessage, restrictedLimits } from '../sandbox/resource-limits.js'
import type { SessionOutcome, SessionTurn } from '../session/session-mode.js'
import { invalidInput } from '../util/invalid-input.js'
import { notify } from '../util/listeners.js'
import { part } from '../util/load-part.js'
import type { Judgement } from '../verdicts/judgement.js'
import type { Call, Plan } from './call.js'
import { checkSafety } from './check-call.js'
import type { ResolvedContext } from './context.js'
import type * as ExitAnswer from './exit-answer.js'
import { givenInput } from './given-input.js'
import { killOwnJob } from './kill-own-job.js'
import { type JobOptions, type ModeOptions, optionsFor, stateOf } from './tool-options.js'
import type { Verdicts } from './verdicts/options.js'
import { permits } from './verdicts/permits.js'

/** @throws {BashError} when the command cannot be started, or a safety rule of the host fails */
export async function runCall(call: Call): Promise<BashResult> {
  const { command, sandbox, session, background, tool } = call
  if (call.rules !== undefined && tool.verdicts === undefined) {
    throw invalidInput(
      'context.policy',
      'must be left out for a tool that was made without verdicts',
      call.rules,
    )
  }
  const asked = optionsFor(tool.modes, call)
  const kill = background ? undefined : parseKillCommand(command)
  if (kill !== undefined) {
    // Killing a job needs no turn in the session: it depends on none of its state. Nor does it take a person's consent.
    const plan = planWithoutTurn(call, asked)
    const refused = await refuseKill(call, plan)
    if (refused !== undefined) return refused
    const killed = await killOwnJob({ ...call, jobs: tool.jobs }, kill)
    if (killed !== undefined) {
      notify(call.onEvent, { type: 'start', command, display: plan.display })
      return killed
    }
  }
  const turn = await session?.enter({ sandbox: stateOf(asked), cancelSignal: call.cancel })
  if (session !== undefined && turn === undefined) return blankResult(command, 'cancelled', sandbox)
  try {
    const login = asked.environment.login ? await loginEnvironmentFor(call, asked) : undefined
    const options = login === undefined ? asked : { ...asked, environment: login.environment }
    const plan = planCall(call, options, turn?.workingDir, turn)
    const permitted = await permitCall(call, plan, kill !== undefined)
    if ('refused' in permitted) return permitted.refused
    const { readConfined, judgement } = permitted
    const result = await start(call, permitted).catch(async (error: unknown) => {
      throw turn === undefined ? error : await turn.explain(error)
    })
    result.display = plan.display
    if (judgement !== undefined) result.judgement = judgement
    if (readConfined) result.readConfined = true
    login?.tell(result)
    if (result.exitCode === 1) exitAnswers().addAnswer(call, permitted.plan, result)
    if (turn === undefined) return result
    const left = await leaveSession(call, turn, permitted, result)
    if (permitted.dropsChanges) left.sessionUnsaved ??= unsavedReading
    return left
  } finally {
    turn?.release()
  }
}

/**
 * What a tool with `verdicts` would decide about a call.
 *
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
export async function judgeCall(call: Call, verdicts: Verdicts): Promise<Judgement> {
  return await permits().judge(call, verdicts, planWithoutTurn(call, optionsFor(call.tool.modes, call)))
}

/** In a session: as if all earlier calls had ended. */
const planWithoutTurn = (call: Call, asked: ResolvedOptions): Plan =>
  planCall(call, asked, call.session?.workingDirIn(stateOf(asked)))

/** A command that may run. */
interface PermittedCall {
  plan: Plan
  /** Whether it is known to only read, and runs confined. */
  readConfined: boolean
  /** What its session takes over of what it leaves. Undefined: all. */
  takes?: SessionOutcome['takes']
  /** Whether it would have left something to its session. */
  dropsChanges?: true
  judgement?: Judgement
}

const unsavedReading = 'with git among its commands it ran confined, and leaves nothing to the session'

/**
 * Has the command checked or judged, and emits the start event when it may run.
 *
 * @param isChecked whether the safety rules have been asked already
 */
async function permitCall(
  call: Call,
  plan: Plan,
  isChecked: boolean,
): Promise<PermittedCall | { refused: BashResult }> {
  const { command, onEvent, tool } = call
  if (tool.verdicts === undefined) {
    const refused = isChecked ? undefined : await checkSafety(call, plan)
    if (refused !== undefined) return { refused }
    notify(onEvent, { type: 'start', command, display: plan.display })
    return { plan, readConfined: false }
  }
  const permitted = await permits().permit(call, tool.verdicts, plan)
  if (!('refused' in permitted)) notify(onEvent, { type: 'start', command, display: plan.display })
  return permitted
}

async function refuseKill(call: Call, plan: Plan): Promise<BashResult | undefined> {
  const { verdicts } = call.tool
  return verdicts === undefined
    ? await checkSafety(call, plan)
    : await permits().refuseDenied(call, verdicts, plan)
}

async function start(call: Call, { plan, readConfined }: PermittedCall): Promise<BashResult> {
  const { background, tool } = call
  if (background && tool.jobs !== undefined) return await startInBackground(call, plan, tool.jobs)
  const result = await runInForeground(call, plan)
  // A call with an id starts once, and what was read is gone.
  if (call.mark !== undefined || givenInput(call.given) !== undefined) return result
  if (tool.verdicts?.approve === undefined || readConfined || result.denials === undefined) return result
  const repeat = (wider: Plan) => runInForeground(call, wider)
  return await permits().repeatWithGrants(call, tool.verdicts, { plan, result }, repeat)
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
      input: givenInput(call.given) ?? options.input,
      session: turn,
      mark: call.mark,
    },
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
  if (result.jobId === undefined || tool.jobs === undefined) return result
  const store = tool.jobs.store()
  const { listening } = await store.get(result.jobId).catch(() => ({ listening: undefined }))
  if (listening !== undefined) result.listening = listening
  if (result.status !== 'background') return result
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
  const { terminal } = options
  const started = { command, workingDir, owner, startedAt: Date.now() }
  const job = planJob(store().directory, { ...started, limitMs, outputLimit, adopted: false, terminal })
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

const exitAnswers = part((): typeof ExitAnswer => require('./exit-answer.js'))

async function leaveSession(
  call: Call,
  turn: SessionTurn,
  { plan, takes }: PermittedCall,
  result: BashResult,
): Promise<BashResult> {
  const { status, signal } = result
  const isOver = status === 'completed' || status === 'failed'
  const end = !isOver ? 'stopped' : signal === null ? 'exited' : 'signalled'
  const cut = cutBy(result, turn.state, plan.options)
  const { unsaved, isFresh } = await turn.leave({ end, cut, takes })
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
