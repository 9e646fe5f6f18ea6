// The options of the tools: those of their commands, and their own. Each tool picks from them. They are checked when the
// tool is made.

import { type Checks, checkOptions, optional } from '../base/util/check-options.js'
import { checkFlag, checkInteger, checkObject, invalidInput } from '../base/util/invalid-input.js'
import type { FieldHint } from '../base/util/unknown-field.js'
import { CallLedger } from '../commands/calls/call-ledger.js'
import { defaultJobsDirectory } from '../commands/jobs/directory.js'
import { defaultOutputLimit } from '../commands/jobs/plan.js'
import { JobStore } from '../commands/jobs/store.js'
import {
  type AllCommandOptions,
  type CheckedCommandOptions,
  type CommandOptions,
  commandChecks,
  timeoutRange,
} from '../commands/run/command-options.js'
import type { JobPlace } from '../commands/run/job-plans.js'
import { type BashMode, bashModes, defaultTimeouts } from './bash-schema.js'
import { resolveSafety, type Safety, type SafetyOptions } from './safety.js'
import { type CheckedTty, checkToolTty, type TtyOptions } from './tty-option.js'
import type { VerdictOptions, Verdicts } from './verdicts/options.js'
import { verdictOptions } from './verdicts/parts.js'

/** What every tool takes. */
export interface ToolOptions extends CommandOptions {
  /** What commands are checked against before they run; `false`: nothing. Default `true`: `safetyRules`. */
  safety?: boolean | SafetyOptions | undefined
  /**
   * Judges each command before it runs: what only reads runs, what a rule denies does not, and about all else a person is
   * asked. Default: commands are only checked against the safety rules.
   */
  verdicts?: VerdictOptions | undefined
  /**
   * Each call starts once: calls then need a `toolCallId`, and one that is sent again gives the result of the first. Default:
   * none.
   */
  calls?: CallLedger | undefined
}

export interface TimeoutsOption {
  /** Milliseconds, 1…86400000. Default 30000, 900000 and 86400000. */
  timeouts?: { [Mode in BashMode]?: number | undefined } | undefined
}

export interface SessionOption {
  /**
   * Whether variables, functions and the directory persist between calls whose context has no session of its own:
   * they then share one, which begins in the directory of the first call. Default true.
   */
  session?: boolean | undefined
}

export interface BackgroundOptions {
  /** Where background jobs are kept. Default: the user's, see {@link JobStore}. */
  jobs?: JobStore | undefined
  /** The size that the output file of a job is kept below, bytes, 262144…1099511627776. Default 1 GiB. */
  maxJobOutputBytes?: number | undefined
}

export interface TtyOption {
  /**
   * Whether commands can be given a terminal, of 24 rows of 100 columns or as given: `Bash` then takes `tty`, and `BashInput`
   * types into them. Not with `calls`, nor on the portable engine. Default false.
   */
  tty?: boolean | TtyOptions | undefined
}

type AllOptions = AllCommandOptions &
  ToolOptions &
  TimeoutsOption &
  SessionOption &
  BackgroundOptions &
  TtyOption

/** Below this a job's output would be all notice and no output. */
const outputRange = [256 * 1024, 1024 ** 4] as const

const checks = {
  ...commandChecks,
  safety: (_, safety) => resolveSafety(safety),
  verdicts: optional((field, verdicts) => verdictOptions().checkVerdicts(field, verdicts)),
  calls: optional(checkLedger),
  timeouts: resolveTimeouts,
  session: (field: string, session: unknown = true) => checkFlag(field, session),
  jobs: optional(checkJobStore),
  maxJobOutputBytes: (field: string, limit: unknown = defaultOutputLimit) =>
    checkInteger(field, limit, outputRange, 'bytes'),
  tty: checkToolTty,
} as const satisfies Checks<AllOptions>

type OptionName = keyof typeof checks

export const toolOptionNames = Object.keys(checks) as OptionName[]

/** The names of a tool's options. @param others those that it does not take */
export function optionNames<Options>(
  others: Readonly<Record<Exclude<OptionName, keyof Options>, false>>,
): readonly (keyof Options)[] {
  return toolOptionNames.filter((name): name is OptionName & keyof Options => !Object.hasOwn(others, name))
}

/** `directory` is that of `store`, without making one for each command. */
export interface JobOptions extends JobPlace {
  /** May throw ERR_JOB_DIRECTORY: there may be no home directory. */
  store: () => JobStore
}

export interface CheckedToolOptions {
  /** Those of a command. */
  command: CheckedCommandOptions
  safety: Safety
  verdicts: Verdicts | undefined
  calls: CallLedger | undefined
  timeouts: Readonly<Record<BashMode, number>>
  session: boolean
  jobs: JobOptions
  /** Undefined: no command gets a terminal. */
  tty: CheckedTty | undefined
}

/**
 * Those that a tool does not take have their defaults.
 *
 * @param names the options that the tool takes
 * @param hintFor knows what is meant by other names
 * @throws {BashError} ERR_INVALID_INPUT naming the option, what is allowed and what came
 */
export function checkToolOptions(
  options: unknown,
  names: readonly string[],
  hintFor?: FieldHint,
): CheckedToolOptions {
  const checked = checkOptions(options, checks, names, hintFor)
  const {
    safety,
    verdicts,
    calls,
    timeouts,
    session,
    jobs,
    maxJobOutputBytes: outputLimit,
    tty,
    ...command
  } = checked
  if (tty !== undefined && calls !== undefined) {
    throw invalidInput('tty', 'must be left out with calls: what is typed would be typed twice', tty.size)
  }
  return {
    command,
    safety,
    verdicts,
    calls,
    timeouts,
    session,
    jobs: {
      // Made when it is needed: where there is no home directory, foreground commands work all the same.
      store: () => jobs ?? new JobStore(),
      directory: () => jobs?.directory ?? defaultJobsDirectory(),
      outputLimit,
    },
    tty,
  }
}

function resolveTimeouts(field: string, timeouts: unknown = {}): Readonly<Record<BashMode, number>> {
  const given = checkObject(field, timeouts, bashModes)
  const resolved = { ...defaultTimeouts }
  for (const mode of bashModes) {
    const timeout = given[mode]
    if (timeout !== undefined) {
      resolved[mode] = checkInteger(`${field}.${mode}`, timeout, timeoutRange, 'milliseconds')
    }
  }
  return resolved
}

function checkLedger(field: string, calls: unknown): CallLedger {
  if (!(calls instanceof CallLedger)) throw invalidInput(field, 'must be a CallLedger', calls)
  return calls
}

function checkJobStore(field: string, jobs: unknown): JobStore {
  if (!(jobs instanceof JobStore)) throw invalidInput(field, 'must be a JobStore', jobs)
  return jobs
}
