// A call: what is known of it before its command runs, and how the command will run.

import type { CallLedger } from '../../commands/calls/call-ledger.js'
import type { ResolvedOptions } from '../../commands/run/resolved-options.js'
import type { SessionOutcome } from '../../commands/session/session-mode.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import type { ResolvedContext } from '../context.js'
import type { ModeOptions } from '../modes.js'
import type { Safety } from '../safety.js'
import type { JobOptions } from '../tool-options.js'
import type { Verdicts } from '../verdicts/options.js'

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
  readonly workingDir: string
  readonly environment: EncodedEnvironment
  /** The command as a user interface should show it. */
  readonly display: string
  readonly options: Readonly<ResolvedOptions>
}

/** The leave to run a command. */
export interface Pass {
  readonly plan: Plan
  /** Whether it is known to only read, and runs confined. */
  readonly readConfined: boolean
  /** What its session takes over of what it leaves. Undefined: all. */
  readonly takes?: SessionOutcome['takes']
  /** Whether it would have left something to its session. */
  readonly dropsChanges?: true
  /** Of a tool with `verdicts`. */
  readonly judgement?: Judgement
}
