// createBashSuite(): three tools that work on the same background commands.

import type { ReadJobOptions } from '../../jobs/read.js'
import { suiteProfile } from '../../output/profile.js'
import type { LimitsOption } from '../../run/command-options.js'
import { misplacedField } from '../context.js'
import {
  type BackgroundOptions,
  checkToolOptions,
  optionNames,
  resolveForModes,
  type SessionOption,
  type ToolOptions,
} from '../tool-options.js'
import { createSuiteBash, type SuiteBashParts, type SuiteBashTool } from './bash.js'
import { type BashOutputTool, createBashOutputTool } from './bash-output.js'
import { createKillBashTool, type KillBashTool } from './kill-bash.js'

export interface BashSuiteOptions extends ToolOptions, LimitsOption, SessionOption, BackgroundOptions {}

export const suiteOptionNames = optionNames<BashSuiteOptions>({
  timeout: false,
  normalizeOutput: false,
  saveOutput: false,
  timeouts: false,
})

export interface BashSuite {
  bash: SuiteBashTool
  bashOutput: BashOutputTool
  killBash: KillBashTool
}

/**
 * The tools `Bash` `{command, timeout?, description?, run_in_background?}`, `BashOutput` `{bash_id?, filter?, offset?,
 * wait_ms?, until?, tail_lines?}` and `KillBash` `{bash_id}`.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashSuite(options: BashSuiteOptions = {}): BashSuite {
  const parts = resolveSuite(options)
  const { store } = parts.jobs
  return {
    bash: createSuiteBash(parts),
    bashOutput: createBashOutputTool(store, { redact: parts.redact }),
    killBash: createKillBashTool(store),
  }
}

/** @throws {BashError} ERR_INVALID_INPUT for a wrong option */
export function resolveSuite(
  options: BashSuiteOptions,
): SuiteBashParts & { redact: ReadJobOptions['redact'] } {
  const { command, safety, session, jobs } = checkToolOptions(options, suiteOptionNames, misplacedField)
  const modes = resolveForModes(command, { output: suiteProfile })
  const { env, redact } = command
  const ofJobs = redact.values ? { tokens: redact.tokens, ...(env !== undefined && { env }) } : false
  return { modes, safety, jobs, sharesSession: session, redact: ofJobs }
}
