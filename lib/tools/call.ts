// What is known of a call before its command runs.

import type { CallLedger } from '../calls/call-ledger.js'
import type { EncodedEnvironment } from '../environment/command-environment.js'
import type { ResolvedOptions } from '../run/options.js'
import type { ResolvedContext } from './context.js'
import type { Safety } from './safety.js'
import type { JobOptions, ModeOptions } from './tool-options.js'
import type { Verdicts } from './verdicts/options.js'

/** What a tool was made with. */
export interface ToolParts {
  modes: ModeOptions
  safety: Safety
  /** Undefined: commands are only checked against the safety rules. */
  verdicts?: Verdicts | undefined
  /** Where each call starts once; undefined: none is remembered. */
  calls?: CallLedger | undefined
  /** Undefined: the tool has no jobs. */
  jobs?: JobOptions
}

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

/** How the command will run. In a session that is known only once the call has its turn. */
export interface Plan {
  workingDir: string
  environment: EncodedEnvironment
  /** The command as a user interface should show it. */
  display: string
  options: ResolvedOptions
}

/** The same command in another sandbox, with the options that were resolved for that. */
export function inSandbox(plan: Plan, resolved: ResolvedOptions): Plan {
  const { sandbox, policy, scratch, required, environment, killSurvivors, limits } = resolved
  const options = { ...plan.options, sandbox, policy, scratch, required, killSurvivors, limits }
  // What start-up files set is in that of the plan.
  if (!environment.login) options.environment = environment
  return { ...plan, options }
}
