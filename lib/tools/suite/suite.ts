// createBashSuite(): three tools that work on the same background commands.

import { part } from '../../base/util/load-part.js'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import type {
  BackgroundAfterOption,
  LimitsOption,
  OutputOptions,
} from '../../commands/run/command-options.js'
import { checkSaveOutput } from '../../commands/run/save-output.js'
import { redactOfJobs } from '../../processes/environment/redact-option.js'
import { charactersProfile, suiteMaxCharacters } from '../../processes/output/profile.js'
import { misplacedField } from '../context.js'
import { resolveForModes } from '../modes.js'
import {
  type BackgroundOptions,
  checkToolOptions,
  optionNames,
  type SessionOption,
  type ToolOptions,
  type TtyOption,
} from '../tool-options.js'
import type { BashInputTool } from '../tty/bash-input.js'
import type * as Tty from '../tty/tools.js'
import type { TtyOptions } from '../tty-option.js'
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
    BackgroundOptions,
    TtyOption {
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

/** With `tty`. */
export interface TerminalSuite extends BashSuite {
  bashInput: BashInputTool
}

/** Few commands need a terminal. */
export const ttyTools = part((): typeof Tty => require('../tty/tools.js'))

/**
 * The tools `Bash` `{command, timeout?, description?, run_in_background?}`, `BashOutput` `{bash_id?, filter?, offset?,
 * wait_ms?, until?, tail_lines?}` and `KillBash` `{bash_id}`; with `tty` also `BashInput` `{bash_id, text?, keys?, submit?,
 * wait_ms?, screen?}`, and `tty` and `screen` in the first two.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a wrong option
 */
export function createBashSuite(options: BashSuiteOptions & { tty: true | TtyOptions }): TerminalSuite
export function createBashSuite(options?: BashSuiteOptions): BashSuite & { bashInput?: BashInputTool }
export function createBashSuite(options: BashSuiteOptions = {}): BashSuite & { bashInput?: BashInputTool } {
  const { tty, ...parts } = resolveSuite(options)
  const { store } = parts.jobs
  const terminals = tty && ttyTools().createTtyTools({ ...parts, ...tty, store })
  return {
    bash: createSuiteBash({ ...parts, terminals: terminals?.bash }),
    bashOutput: createBashOutputTool(store, { ...parts, terminals: terminals?.bashOutput }),
    killBash: createKillBashTool(store),
    ...(terminals && { bashInput: terminals.bashInput }),
  }
}

/** @throws {BashError} ERR_INVALID_INPUT for a wrong option */
export function resolveSuite(options: BashSuiteOptions): SuiteBashParts & {
  redact: ReadJobOptions['redact']
  explain: boolean
  maxChars: number
  /** Of commands that get a terminal; undefined: none does. */
  tty?: Pick<Tty.TtyParts, 'modes' | 'asking'>
} {
  const { command, safety, verdicts, calls, session, jobs, tty } = checkToolOptions(
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
  const all = { ...command, saveOutput, errorLines }
  return {
    modes: resolveForModes(all, { output }),
    safety,
    verdicts,
    calls,
    jobs,
    sharesSession: session,
    maxChars,
    explain,
    redact: redactOfJobs(redact, env),
    ...(tty && { tty: { modes: () => resolveForModes(all, { output }, tty.size), asking: tty.asking } }),
  }
}
