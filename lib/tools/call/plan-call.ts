// How the command of a call will run: where, with which environment and options.

import type { LoginEnvironment } from '../../commands/run/login/login-environments.js'
import type { ResolvedOptions } from '../../commands/run/resolved-options.js'
import { loginEnvironments } from '../../commands/run/run.js'
import type { SessionTurn } from '../../commands/session/session-mode.js'
import { simplifyCommand } from '../../processes/output/simplify-command.js'
import { optionsFor, stateOf } from '../modes.js'
import type { Call, Plan } from './call.js'
import { givenInput } from './given-input.js'

/** Those that the sandbox of the call asks for. */
export const askedOptions = (call: Call): ResolvedOptions => optionsFor(call.tool.modes, call)

export interface PlannedCall {
  plan: Plan
  /** Of commands that get what start-up files set. */
  login?: LoginEnvironment
}

/** @param turn of a call in a session */
export async function planCall(call: Call, turn: SessionTurn | undefined): Promise<PlannedCall> {
  const asked = askedOptions(call)
  if (!asked.environment.login) return { plan: planWith(call, asked, turn?.workingDir, turn) }
  const login = await loginEnvironmentFor(call, asked)
  const options = { ...asked, environment: login.environment }
  return { plan: planWith(call, options, turn?.workingDir, turn), login }
}

/** In a session: as if all earlier calls had ended. */
export function planWithoutTurn(call: Call): Plan {
  const asked = askedOptions(call)
  return planWith(call, asked, call.session?.workingDirIn(stateOf(asked)))
}

/** The same command in another sandbox, with the options that were resolved for that. */
export function inSandbox(plan: Plan, resolved: ResolvedOptions): Plan {
  const { sandbox, policy, scratch, required, environment, killSurvivors, limits } = resolved
  const options = { ...plan.options, sandbox, policy, scratch, required, killSurvivors, limits }
  // What start-up files set is in that of the plan.
  if (!environment.login) options.environment = environment
  return { ...plan, options }
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

function planWith(
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
