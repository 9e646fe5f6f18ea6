// The options of run(): their types, their ranges, their defaults.

import type { JobPlan, SessionPlan } from '../engine/engine.js'
import { CommandEnvironment } from '../environment/command-environment.js'
import { checkEnvironmentOptions, type EnvironmentOptions } from '../environment/options.js'
import { BashError } from '../errors.js'
import {
  bashProfile,
  normalizedBashProfile,
  type OutputProfile,
  savedNormalizedBashProfile,
} from '../output/profile.js'
import { checkProtections, type Protection } from '../sandbox/protections.js'
import { checkLimits, type ResourceLimits, restrictedLimits } from '../sandbox/resource-limits.js'
import { checkScratch, type ScratchOptions, type ScratchPlan } from '../sandbox/scratch.js'
import { resolveDirectory } from '../util/directories.js'
import {
  checkAbortSignal,
  checkAbsolutePath,
  checkFlag,
  checkFunction,
  checkInteger,
  checkObject,
  checkOneOf,
  invalidInput,
} from '../util/invalid-input.js'
import { synonymHint } from '../util/unknown-field.js'
import type { OutputEvent, SandboxMode } from './result.js'
import { checkSaveOutput, type SaveOutputOptions, type SaveTarget } from './save-output.js'

export interface RunOptions {
  /** The working directory. A relative path is taken from the process's own. */
  cwd: string
  /** Milliseconds, 1…86400000 (24 hours). Default: no timeout. */
  timeout?: number | undefined
  /** Aborting it kills the command and everything it started. */
  cancelSignal?: AbortSignal | undefined
  /**
   * In `'restricted'` the command can read and compute; the kernel refuses it to write, to use a network, and to signal
   * or inspect anything outside. Default `'unrestricted'`.
   */
  sandbox?: SandboxMode | undefined
  /**
   * Restricted mode only: a directory that the command can write to, named by TMPDIR, this user's alone and limited in
   * size. It is removed with all that is in it when the command has ended. Default false.
   */
  scratch?: boolean | ScratchOptions | undefined
  /** Restricted mode only: protections without any of which the command is refused. Default: all but `'signals'`. */
  required?: readonly Protection[] | undefined
  /** What the command gets of this process's environment. Default: no secrets, and non-interactive defaults. */
  env?: EnvironmentOptions | undefined
  /**
   * What becomes of processes that the command leaves running: `'adopt'` (default) lets them live and lists them,
   * `'kill'`, the default in Restricted mode, ends them before the call returns.
   */
  survivors?: 'adopt' | 'kill' | undefined
  /** One pipe for stdout and stderr, which keeps their order, or one for each. Default `'merged'`. */
  streams?: 'merged' | 'separate' | undefined
  /** Called with pieces of output while the command runs. A live view, see {@link OutputEvent}. */
  onOutput?: ((event: OutputEvent) => void) | undefined
  /** Strip ANSI escape sequences and render carriage returns as a terminal would. Default false. */
  normalizeOutput?: boolean | undefined
  /**
   * Keep the whole output in a file when it is longer than what the result gives; the result names it, and deleting
   * it is up to the caller. Only with merged streams. Default false.
   */
  saveOutput?: boolean | SaveOutputOptions | undefined
  /** Milliseconds from SIGTERM to SIGKILL when a command is killed, 0…10000. Default 2000. */
  termGraceMs?: number | undefined
  /** Default: the limits of this process; in Restricted mode see {@link ResourceLimits}. */
  limits?: ResourceLimits | undefined
  /** The bash to use, an absolute path. Default: the one on PATH. */
  shellPath?: string | undefined
}

/** The options with every default filled in. */
export interface ResolvedOptions {
  cwd: string
  /** 0: none. */
  timeoutMs: number
  cancelSignal: AbortSignal | undefined
  sandbox: SandboxMode
  scratch: ScratchPlan | undefined
  required: readonly Protection[]
  environment: CommandEnvironment
  killSurvivors: boolean
  separateStreams: boolean
  onOutput: ((event: OutputEvent) => void) | undefined
  output: OutputProfile
  saveOutput: SaveTarget | undefined
  termGraceMs: number
  /** Those that the caller sets. */
  limits: ResourceLimits
  shellPath: string | undefined
  /** The job that survivors become. */
  adoption: JobPlan | undefined
  session: SessionPlan | undefined
}

export const timeoutRange = [1, 86_400_000] as const
const graceRange = [0, 10_000] as const
const defaultGraceMs = 2000

/** Above it a command is refused: nobody types that much, and something has gone wrong. */
export const maxCommandBytes = 4 * 1024 * 1024

const defaultEnvironments = {
  unrestricted: new CommandEnvironment({}),
  restricted: new CommandEnvironment({}, { sandbox: 'restricted' }),
}

const names = [
  'cwd',
  'timeout',
  'cancelSignal',
  'sandbox',
  'scratch',
  'required',
  'env',
  'survivors',
  'streams',
  'onOutput',
  'normalizeOutput',
  'saveOutput',
  'termGraceMs',
  'limits',
  'shellPath',
] as const satisfies readonly (keyof RunOptions)[]

/** What the context of a tool, and others, call these. */
const optionMeant = synonymHint({
  cwd: ['workingdir', 'workingdirectory', 'dir', 'directory', 'workdir'],
  cancelSignal: ['cancel', 'signal', 'abort', 'abortsignal'],
  onOutput: ['onevent', 'ondata'],
  shellPath: ['shell', 'bashpath'],
})

/** @throws {BashError} ERR_INVALID_INPUT when `command` is not a string that can be run */
export function checkCommandText(command: unknown): asserts command is string {
  if (typeof command !== 'string') throw invalidInput('command', 'must be a string', command)
  const nul = command.indexOf('\0')
  if (nul >= 0) {
    throw new BashError(
      'ERR_INVALID_INPUT',
      `command: must not contain NUL characters (got one at index ${nul})`,
    )
  }
  // A UTF-16 unit takes three bytes at most: only a very long command has to be measured.
  if (command.length * 3 > maxCommandBytes && Buffer.byteLength(command) > maxCommandBytes) {
    throw new BashError(
      'ERR_INVALID_INPUT',
      `command: must be at most ${maxCommandBytes} bytes (got ${Buffer.byteLength(command)}); ` +
        'write a script to a file and run that',
    )
  }
}

/**
 * @throws {BashError} ERR_INVALID_INPUT naming the option, what is allowed and what came; ERR_WORKING_DIR when a
 *   relative path has nothing to be relative to
 */
export function resolveOptions(given: RunOptions): ResolvedOptions {
  const options = checkObject('options', given, names, optionMeant) as Partial<RunOptions>
  checkAbortSignal('cancelSignal', options.cancelSignal)
  checkFunction('onOutput', options.onOutput)
  const env = options.env === undefined ? undefined : checkEnvironmentOptions(options.env)
  if (options.shellPath !== undefined) checkAbsolutePath('shellPath', options.shellPath)
  const { timeout, termGraceMs = defaultGraceMs } = options
  const separateStreams = checkOneOf('streams', options.streams, ['merged', 'separate']) === 'separate'
  const saveOutput = checkSaveOutput('saveOutput', options.saveOutput)
  if (separateStreams && saveOutput !== undefined) {
    throw invalidInput('saveOutput', "must be left out with streams: 'separate'", options.saveOutput)
  }
  const restriction = checkRestriction(options)
  const survivors = checkOneOf('survivors', options.survivors, ['adopt', 'kill'])
  const killsByDefault = options.survivors === undefined && restriction.sandbox === 'restricted'
  return {
    cwd: resolveDirectory('cwd', options.cwd),
    timeoutMs: timeout === undefined ? 0 : checkInteger('timeout', timeout, timeoutRange, 'milliseconds'),
    cancelSignal: options.cancelSignal,
    ...restriction,
    environment: environmentOf(env, restriction),
    killSurvivors: survivors === 'kill' || killsByDefault,
    separateStreams,
    onOutput: options.onOutput,
    output: profileOf(checkFlag('normalizeOutput', options.normalizeOutput), saveOutput !== undefined),
    saveOutput,
    termGraceMs: checkInteger('termGraceMs', termGraceMs, graceRange, 'milliseconds'),
    limits: limitsOf(checkLimits('limits', options.limits), restriction.scratch),
    shellPath: options.shellPath,
    adoption: undefined,
    session: undefined,
  }
}

function profileOf(normalize: boolean, save: boolean): OutputProfile {
  if (!normalize) return bashProfile
  return save ? savedNormalizedBashProfile : normalizedBashProfile
}

type Restriction = Pick<ResolvedOptions, 'sandbox' | 'scratch' | 'required'>

function checkRestriction(options: Partial<RunOptions>): Restriction {
  const sandbox = checkSandbox('sandbox', options.sandbox)
  const scratch = checkScratch('scratch', options.scratch)
  const required = checkProtections('required', options.required)
  if (sandbox === 'unrestricted') {
    const requirement = "must be left out without sandbox: 'restricted'"
    if (scratch !== undefined) throw invalidInput('scratch', requirement, options.scratch)
    if (required.length > 0) throw invalidInput('required', requirement, options.required)
  }
  return { sandbox, scratch, required }
}

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkSandbox(field: string, sandbox: unknown): SandboxMode {
  return checkOneOf(field, sandbox, ['unrestricted', 'restricted'])
}

/** With a copy of the options: the caller's object may change. */
function environmentOf(
  env: EnvironmentOptions | undefined,
  { sandbox, scratch }: Restriction,
): CommandEnvironment {
  if (env === undefined && scratch === undefined) return defaultEnvironments[sandbox]
  return new CommandEnvironment(structuredClone(env ?? {}), { sandbox, ownTmpdir: scratch !== undefined })
}

/** No single file may be larger than the directory: that is looked at only now and then, this by the kernel. */
function limitsOf(limits: ResourceLimits, scratch: ScratchPlan | undefined): ResourceLimits {
  if (scratch === undefined) return { ...limits }
  const { fileSizeBytes } = restrictedLimits(limits)
  return { ...limits, fileSizeBytes: Math.min(fileSizeBytes, scratch.maxBytes) }
}
