// createBashSuite(): three tools that work on the same background commands.

import { suiteProfile } from '../../output/profile.js'
import { misplacedField } from '../context-fields.js'
import { resolveForModes } from '../mode-options.js'
import { checkToolOptions, type ToolOptions, toolOptionsBut } from '../tool-options.js'
import { createSuiteBash, type SuiteBashParts, type SuiteBashTool } from './bash.js'
import { type BashOutputTool, createBashOutputTool } from './bash-output.js'
import { createKillBashTool, type KillBashTool } from './kill-bash.js'

export const suiteOptionNames = toolOptionsBut('timeout', 'normalizeOutput', 'saveOutput', 'timeouts')

export interface BashSuiteOptions extends Pick<ToolOptions, (typeof suiteOptionNames)[number]> {}

export interface BashSuite {
  bash: SuiteBashTool
  bashOutput: BashOutputTool
  killBash: KillBashTool
}

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
  const { command, safety, session, jobs } = checkToolOptions(options, suiteOptionNames, misplacedField)
  const modes = resolveForModes(command, { output: suiteProfile })
  return { modes, safety, jobs, sharesSession: session }
}
