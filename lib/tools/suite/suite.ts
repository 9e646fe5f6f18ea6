// createBashSuite(): three tools that work on the same background commands.

import { redactOfJobs } from '../../environment/redact-option.js'
import type { ReadJobOptions } from '../../jobs/read.js'
import { charactersProfile, suiteMaxCharacters } from '../../output/profile.js'
import type { BackgroundAfterOption, LimitsOption, OutputOptions } from '../../run/command-options.js'
import { checkSaveOutput } from '../../run/save-output.js'
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

/** Of a file that nobody has asked for, in a directory that may be in memory: more than any model reads. */
const defaultSavedBytes = 64 * 1024 * 1024
export const defaultSaveOutput = () => checkSaveOutput('saveOutput', { maxBytes: defaultSavedBytes })

export interface BashSuiteOptions
  extends ToolOptions,
    BackgroundAfterOption,
    LimitsOption,
    SessionOption,
    BackgroundOptions {
  /**
   * Keep the whole output in a file when it is longer than what the result gives. {@link JobStore.cleanUp} removes those in
   * the default directory. Default: up to 64 MiB.
   */
  saveOutput?: OutputOptions['saveOutput']
  /** Give lines that may tell of an error from the middle of output that is cut. Default true. */
  errorLines?: OutputOptions['errorLines']
}

export const suiteOptionNames = optionNames<BashSuiteOptions>({
  timeout: false,
  normalizeOutput: false,
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
    bashOutput: createBashOutputTool(store, parts),
    killBash: createKillBashTool(store),
  }
}

/** @throws {BashError} ERR_INVALID_INPUT for a wrong option */
export function resolveSuite(
  options: BashSuiteOptions,
): SuiteBashParts & { redact: ReadJobOptions['redact']; explain: boolean; maxChars: number } {
  const { command, safety, verdicts, calls, session, jobs } = checkToolOptions(
    options,
    suiteOptionNames,
    misplacedField,
  )
  const { env, redact, explain, maxOutputChars } = command
  const maxChars = maxOutputChars ?? suiteMaxCharacters
  const wholeLines = maxOutputChars !== undefined
  // Of what the model does not see it can ask for more.
  const saveOutput = options.saveOutput === undefined ? defaultSaveOutput() : command.saveOutput
  const output = charactersProfile({ maxChars, wholeLines, normalize: true, save: saveOutput !== undefined })
  const errorLines = options.errorLines === undefined ? true : command.errorLines
  const modes = resolveForModes({ ...command, saveOutput, errorLines }, { output })
  const ofJobs = redactOfJobs(redact, env)
  return { modes, safety, verdicts, calls, jobs, sharesSession: session, maxChars, explain, redact: ofJobs }
}
