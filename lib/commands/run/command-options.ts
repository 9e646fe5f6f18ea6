// The options of a command, whoever runs it: run() takes all of them, and each tool picks from them. Interfaces, because
// not every editor shows the comments of what Pick and Omit have picked.

import { type Checked, type Checks, optional } from '../../base/util/check-options.js'
import {
  checkAbsolutePath,
  checkFlag,
  checkInteger,
  checkObject,
  checkOneOf,
  invalidInput,
} from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import { checkPolicyChanges, type SandboxPolicy } from '../../guard/sandbox/policy.js'
import { checkProtections, type Protection } from '../../guard/sandbox/protections.js'
import { checkLimits, type ResourceLimits } from '../../guard/sandbox/resource-limits.js'
import { checkScratch, type ScratchOptions } from '../../guard/sandbox/scratch.js'
import {
  checkEnvironmentOptions,
  type EnvironmentOptions,
} from '../../processes/environment/environment-options.js'
import { checkRedact, type RedactOptions } from '../../processes/environment/redact-option.js'
import type * as LineFilters from '../jobs/line-filter.js'
import { checkSaveOutput, type SaveOutputOptions } from './save-output.js'

/** What run() and every tool take. */
export interface CommandOptions {
  /** The bash to use, an absolute path. Default: that of the system; of the exec tool `/bin/bash`. */
  shellPath?: string | undefined
  /**
   * What a command gets of this process's environment. Default: no secrets, and non-interactive defaults. The exec tool
   * gives all of it and adds nothing, also when other fields than `inherit` are given.
   */
  env?: EnvironmentOptions | undefined
  /**
   * What becomes of processes that a command leaves running: `'adopt'` (default) lets them live and lists them,
   * `'kill'`, the default where a sandbox lets the command write nothing, ends them before the call returns.
   */
  survivors?: 'adopt' | 'kill' | undefined
  /** Milliseconds from SIGTERM to SIGKILL when a command is killed, 0…10000. Default 2000. */
  termGraceMs?: number | undefined
  /**
   * In a sandbox only: a directory that the command can write to, named by TMPDIR, this user's alone and limited in
   * size. It is removed with all that is in it when the command has ended. Default: true in Workspace mode and where a
   * policy has something writable, else false.
   */
  scratch?: boolean | ScratchOptions | undefined
  /** In a sandbox only: protections without any of which the command is refused. Default: all but `'signals'`. */
  required?: readonly Protection[] | undefined
  /** Workspace mode only: what is different from its policy. A list replaces that of the mode. */
  workspace?: Partial<SandboxPolicy> | undefined
  /**
   * Whether the values of withheld variables are taken out of everything that a command prints; `[removed: NAME]` stands in
   * their place. Default true.
   */
  redact?: boolean | RedactOptions | undefined
  /**
   * Characters of output (UTF-16 code units), of each stream, that are given whole; of more as many are given, of its
   * beginning and its end. 1000…1,000,000. Default: 30,000 for the suite; `run` and the bash tool give 128 KiB whole and
   * 4 KiB of each end of more; the exec tool gives the first 1 MiB.
   */
  maxOutputChars?: number | undefined
  /**
   * Whether the processes of a command are looked at shortly before its timeout, for `waitingFor`, and those of a job that
   * prints nothing when `BashOutput` reads it. Default true.
   */
  explain?: boolean | undefined
}

export interface TimeoutOption {
  /** Milliseconds, 1…86400000 (24 hours). Default: no timeout; of the exec tool 30000. */
  timeout?: number | undefined
}

export interface BackgroundAfterOption {
  /**
   * Milliseconds, 1…86400000, after which a command that still runs goes on as a background job with the rest of its time
   * limit: the call returns with status `'background'`, the output so far and the job's id. Only with merged streams; not
   * with the portable engine. A time limit that is not longer comes first. Default: never.
   */
  backgroundAfter?: number | undefined
}

export interface LimitsOption {
  /** Default: the limits of this process; in a sandbox see {@link ResourceLimits}. */
  limits?: ResourceLimits | undefined
}

export interface OutputOptions {
  /** Strip ANSI escape sequences and render carriage returns as a terminal would. Default false. */
  normalizeOutput?: boolean | undefined
  /**
   * Keep the whole output in a file when it is longer than what the result gives; the result names it, and deleting
   * it is up to the caller. Only with merged streams. Default false.
   */
  saveOutput?: boolean | SaveOutputOptions | undefined
  /**
   * Give lines that may tell of an error from the middle of output that is cut, with their numbers: 16 at most, in 2000
   * characters. Default false.
   */
  errorLines?: boolean | ErrorLinesOptions | undefined
}

export interface ErrorLinesOptions {
  /** A regular expression (RE2) for such lines. Default: what compilers, test runners and interpreters say. */
  pattern?: string | undefined
}

export interface AllCommandOptions
  extends CommandOptions,
    TimeoutOption,
    BackgroundAfterOption,
    LimitsOption,
    OutputOptions {}

/** Milliseconds. */
export const timeoutRange = [1, 86_400_000] as const
export const charactersRange = [1000, 1_000_000] as const
const graceRange = [0, 10_000] as const
const defaultGraceMs = 2000

/** In the order in which messages name them. */
export const commandChecks = {
  shellPath: optional(checkAbsolutePath),
  env: optional((field, env) => checkEnvironmentOptions(env, field)),
  timeout: optional((field, timeout) => checkInteger(field, timeout, timeoutRange, 'milliseconds')),
  normalizeOutput: checkFlag,
  saveOutput: checkSaveOutput,
  survivors: optional((field, survivors) => checkOneOf(field, survivors, ['adopt', 'kill'])),
  termGraceMs: (field: string, grace: unknown = defaultGraceMs) =>
    checkInteger(field, grace, graceRange, 'milliseconds'),
  limits: checkLimits,
  scratch: checkScratch,
  required: checkProtections,
  workspace: optional(checkPolicyChanges),
  redact: checkRedact,
  maxOutputChars: optional((field, characters) =>
    checkInteger(field, characters, charactersRange, 'characters'),
  ),
  errorLines: checkErrorLines,
  explain: (field: string, explain: unknown = true) => checkFlag(field, explain),
  backgroundAfter: optional((field, after) => checkInteger(field, after, timeoutRange, 'milliseconds')),
} as const satisfies Checks<AllCommandOptions>

/** Few choose a pattern. */
const lineFilters = part((): typeof LineFilters => require('../jobs/line-filter.js'))

/** @throws {BashError} ERR_INVALID_INPUT, ERR_INVALID_FILTER */
export function checkErrorLines(field: string, value: unknown): true | ErrorLinesOptions | undefined {
  if (value === undefined || value === true || value === false) return value || undefined
  if (typeof value !== 'object') throw invalidInput(field, 'must be a boolean or an object', value)
  const { pattern } = checkObject(field, value, ['pattern'])
  if (pattern === undefined) return true
  lineFilters().compileFilter(pattern, `${field}.pattern`)
  return { pattern: pattern as string }
}

export type CheckedCommandOptions = Checked<typeof commandChecks>
