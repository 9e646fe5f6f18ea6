// One command through the engine, from checked options to its result: loaded with the first command.

import { AsyncResource } from 'node:async_hooks'
import { join } from 'node:path'
import { BashError, messageOf } from '../../base/errors.js'
import { onAbort } from '../../base/util/listeners.js'
import { part } from '../../base/util/load-part.js'
import type { CommandNetwork } from '../../guard/proxy/command-network.js'
import { commandNetwork } from '../../guard/sandbox/network-policy.js'
import { protectionsOf } from '../../guard/sandbox/protections.js'
import { requireSandbox } from '../../guard/sandbox/requirements.js'
import { provenEngine } from '../../processes/engine/choose.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import type { JobPlan } from '../../processes/engine/request.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import type * as Redactors from '../../processes/environment/redactor.js'
import type { Hide } from '../../processes/output/encodings/readable.js'
import { simplifyCommand } from '../../processes/output/simplify-command.js'
import type { WaitingFor } from '../../terminals/explain/waiting-for.js'
import { buildResult, type RunResult } from './build-result.js'
import type * as LineSearch from './error-lines.js'
import { explanationAtTimeout } from './explanation.js'
import { liveView } from './live-view.js'
import type * as Redactions from './redaction.js'
import { buildRequest } from './request.js'
import type { ResolvedOptions } from './resolved-options.js'
import { type BashResult, blankResult, elapsedMs } from './result.js'
import { startFailure } from './start-failure.js'

/**
 * Runs a command and resolves when it has ended.
 *
 * @param display the command as a user interface should show it, where the caller knows already
 * @throws {BashError} when it cannot be started
 */
export async function execute(
  command: string,
  options: ResolvedOptions,
  display?: string,
): Promise<RunResult> {
  const startedAt = performance.now()
  const { sandbox, policy, onOutput, separateStreams, output, errorLines, cancelSignal, session } = options
  if (policy !== undefined) await requireSandbox(options.required, policy)
  const { engine } = await provenEngine()
  const network = isOnline(options) ? await networkOf(options) : undefined
  const environment = options.environment.current()
  const finish = (result: RunResult): RunResult => {
    result.durationMs = elapsedMs(startedAt)
    result.removedEnv = [...environment.removed]
    result.display = display ?? simplifyCommand(command, options.cwd, environment.home)
    return result
  }
  if (cancelSignal?.aborted === true) return finish(blankResult(command, 'cancelled', sandbox))

  const request = buildRequest(command, options, environment, undefined, network)
  const redaction = redactionFor(environment, options, network)
  let explained: Promise<WaitingFor[]> | undefined
  let streams: Completion['streams'] = ['', '']
  const result = await new Promise<RunResult>((resolve, reject) => {
    // The engine calls back from a context of its own: AsyncLocalStorage is to see the caller's.
    const live =
      onOutput === undefined
        ? undefined
        : liveView(AsyncResource.bind(onOutput), separateStreams, output.normalizeLive ?? output.normalize)
    const listener = live && (redaction?.listener(live.listener, { isLive: true }) ?? live.listener)
    let release = () => {}
    const id = engine.start(
      request,
      (completion) => {
        tellOfMark(options, completion)
        const hide = redaction && ((text: string) => redaction.text(text))
        try {
          explained = explanation?.end(completion, hide)
          release()
          if (live !== undefined) redaction?.end(live.listener, { completion })
          live?.end()
          session?.onState(completion.state)
          const shown = redaction?.completion(completion) ?? completion
          const decoded: Hide | undefined =
            redaction && ((text, edges) => redaction.decoded(text, edges, completion))
          const result = buildResult(request, options, shown, decoded)
          streams = shown.streams
          const redacted = redaction?.counts
          resolve(redacted === undefined ? result : { ...result, redacted })
        } catch (error) {
          reject(error)
        }
      },
      listener,
    )
    const explanation = options.explain ? explanationAtTimeout(engine, options.timeoutMs) : undefined
    try {
      release = onAbort(cancelSignal, () => engine.cancel(id))
    } catch (error) {
      engine.cancel(id)
      reject(error)
    }
  })
  const waitingFor = await explained
  if (waitingFor !== undefined) result.waitingFor = waitingFor
  if (errorLines !== undefined && result.truncated) {
    await lineSearch().addErrorLines(result, streams, { profile: output, errorLines, redaction })
  }
  if (redaction !== undefined && result.savedOutput !== undefined) {
    await redaction.file(result.savedOutput).catch((error: unknown) => {
      // What nothing was taken out of is named to nobody.
      result.savedOutputError = messageOf(error)
      delete result.savedOutput
      delete result.savedOutputBytes
    })
  }
  return finish(result)
}

function tellOfMark({ mark }: ResolvedOptions, { mark: made = -1 }: Completion): void {
  if (made !== -1) mark?.onMade(made >= 0 ? made : undefined)
}

type Online = ResolvedOptions & { policy: { network: { domains: readonly string[] } } }

const isOnline = (options: ResolvedOptions): options is Online => (options.policy?.network ?? false) !== false

/** @throws {BashError} when there can be no proxy */
async function networkOf({ policy }: Online): Promise<CommandNetwork> {
  return await commandNetwork().openNetwork(policy.network.domains)
}

const lineSearch = part((): typeof LineSearch => require('./error-lines.js'))
const redactions = part((): typeof Redactions => require('./redaction.js'))
const redactors = part((): typeof Redactors => require('../../processes/environment/redactor.js'))

/** Undefined where there is nothing to take out, which is known before anything of it is loaded. */
function redactionFor(
  { withheld }: EncodedEnvironment,
  { redact: { values, tokens } }: ResolvedOptions,
  network: CommandNetwork | undefined,
): Redactions.Redaction | undefined {
  const hidden = values ? withheld : undefined
  const redactor =
    hidden === undefined && !tokens ? undefined : redactors().redactorFor({ withheld: hidden, tokens })
  if (redactor === undefined && network === undefined) return undefined
  return new (redactions().Redaction)(network?.secrets ?? [], redactor)
}

/** Whether a command can become a job while it runs: `backgroundAfter`. */
export async function canHandOver(): Promise<boolean> {
  return (await provenEngine()).engine.name === 'native'
}

/**
 * Starts a background job, and resolves when it runs and its record is on the disk: from here on it is its
 * supervisor's, and outlives this process.
 *
 * @throws {BashError} when it cannot be started; nothing of it has run then
 */
export async function startJob(
  command: string,
  options: ResolvedOptions,
  plan: JobPlan,
): Promise<BashResult> {
  const startedAt = performance.now()
  if (options.policy !== undefined) await requireSandbox(options.required, options.policy)
  const { engine } = await provenEngine()
  if (options.terminal !== undefined && engine.name !== 'native') {
    throw new BashError('ERR_UNSUPPORTED_PLATFORM', 'tty: the portable engine has no terminals')
  }
  const network = isOnline(options) ? await networkOf(options) : undefined
  const environment = options.environment.current()
  const request = buildRequest(command, options, environment, plan, network)
  return await new Promise((resolve, reject) => {
    engine.start(request, (completion) => {
      tellOfMark(options, completion)
      if (completion.outcome !== Outcome.detached) return reject(startFailure(request, completion))
      const { pid, protections } = completion
      resolve({
        ...blankResult(command, 'background', options.sandbox),
        enforced: protectionsOf(protections),
        durationMs: elapsedMs(startedAt),
        pid,
        pgid: pid,
        jobId: plan.id,
        outputFile: join(plan.directory, 'output'),
        removedEnv: [...environment.removed],
      })
    })
  })
}
