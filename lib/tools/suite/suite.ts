// createBashSuite(): three tools that work on the same background commands.

import type { EnvironmentOptions } from '../../environment/options.js'
import type { JobStore } from '../../jobs/store.js'
import { suiteProfile } from '../../output/profile.js'
import type { Protection } from '../../sandbox/protections.js'
import type { ResourceLimits } from '../../sandbox/resource-limits.js'
import type { ScratchOptions } from '../../sandbox/scratch.js'
import { checkFlag, checkObject } from '../../util/invalid-input.js'
import { misplacedField } from '../context-fields.js'
import { resolveJobOptions } from '../job-options.js'
import { resolveForModes } from '../mode-options.js'
import { resolveSafety, type SafetyOptions } from '../safety.js'
import { createSuiteBash, type SuiteBashParts, type SuiteBashTool } from './bash.js'
import { type BashOutputTool, createBashOutputTool } from './bash-output.js'
import { createKillBashTool, type KillBashTool } from './kill-bash.js'
import { SuiteSession } from './session.js'

export interface BashSuiteOptions {
  /** The bash to use, an absolute path. Default: the one on PATH. */
  shellPath?: string | undefined
  /** What commands get of this process's environment. Default: no secrets, and non-interactive defaults. */
  env?: EnvironmentOptions | undefined
  /** What becomes of processes that a command leaves running, see `RunOptions`. Default `'adopt'`, in Restricted mode `'kill'`. */
  survivors?: 'adopt' | 'kill' | undefined
  /** Milliseconds from SIGTERM to SIGKILL when a command is killed, 0…10000. Default 2000. */
  termGraceMs?: number | undefined
  /** Default: the limits of this process; in Restricted mode see {@link ResourceLimits}. */
  limits?: ResourceLimits | undefined
  /** In Restricted mode, a directory that the command can write to, see `RunOptions`. Default false. */
  scratch?: boolean | ScratchOptions | undefined
  /** In Restricted mode, protections without any of which commands are refused. Default: all but `'signals'`. */
  required?: readonly Protection[] | undefined
  /** What commands are checked against before they run; `false`: nothing. Default `true`: `safetyRules`. */
  safety?: boolean | SafetyOptions | undefined
  /**
   * Whether variables, functions and the directory persist between calls whose context has no session of its own:
   * they then share one, which begins in the directory of the first call. Default true.
   */
  session?: boolean | undefined
  /** Where background commands are kept. Default: the user's, see {@link JobStore}. */
  jobs?: JobStore | undefined
  /** The size that the output file of a job is kept below, bytes, 262144…1099511627776. Default 1 GiB. */
  maxJobOutputBytes?: number | undefined
}

export interface BashSuite {
  bash: SuiteBashTool
  bashOutput: BashOutputTool
  killBash: KillBashTool
}

export const suiteOptionNames = [
  'shellPath',
  'env',
  'survivors',
  'termGraceMs',
  'limits',
  'scratch',
  'required',
  'safety',
  'session',
  'jobs',
  'maxJobOutputBytes',
] as const satisfies readonly (keyof BashSuiteOptions)[]

/**
 * The tools `Bash` `{command, timeout?, description?, run_in_background?}`, `BashOutput` `{bash_id, filter?, offset?}`
 * and `KillBash` `{bash_id}`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashSuite(options: BashSuiteOptions = {}): BashSuite {
  const parts = resolveSuite(options)
  const { store } = parts.jobs
  return {
    bash: createSuiteBash(parts),
    bashOutput: createBashOutputTool(store),
    killBash: createKillBashTool(store),
  }
}

/** @throws {BashError} ERR_INVALID_INPUT for a wrong option */
export function resolveSuite(options: BashSuiteOptions): SuiteBashParts {
  const checked: BashSuiteOptions = checkObject('options', options, suiteOptionNames, misplacedField)
  const { jobs, maxJobOutputBytes, session = true, safety, ...runOptions } = checked
  return {
    safety: resolveSafety(safety),
    own: checkFlag('session', session) ? new SuiteSession() : undefined,
    jobs: resolveJobOptions(jobs, maxJobOutputBytes),
    modeOptions: resolveForModes(runOptions, suiteProfile),
  }
}
