// The options of run(): their types, their ranges, their defaults.

import { constants } from 'node:os'
import { resolve } from 'node:path'
import { CommandEnvironment } from '../environment/command-environment.js'
import { type EnvironmentOptions, validateEnvironmentOptions } from '../environment/options.js'
import { BashError } from '../errors.js'
import {
  checkAbortSignal,
  checkAbsolutePath,
  checkFlag,
  checkFunction,
  checkInteger,
  checkObject,
  checkOneOf,
  invalidInput,
} from '../invalid-input.js'
import {
  bashProfile,
  normalizedBashProfile,
  type OutputProfile,
  savedNormalizedBashProfile,
} from '../output/profile.js'
import type { OutputEvent, SandboxMode } from '../result.js'
import { checkLimits, type ResourceLimits } from './limits.js'
import type { JobPlan, SessionPlan } from './native.js'
import { checkSaveOutput, type SaveOutputOptions, type SaveTarget } from './save-output.js'
import { systemError } from './system-error.js'

export interface RunOptions {
  /** The working directory. A relative path is taken from the process's own. */
  cwd: string
  /** Milliseconds, 1…86400000 (24 hours). Default: no timeout. */
  timeout?: number | undefined
  /** Aborting it kills the command and everything it started. */
  cancelSignal?: AbortSignal | undefined
  /** Default `'unrestricted'`. */
  sandbox?: SandboxMode | undefined
  /** What the command gets of this process's environment. Default: no secrets, and non-interactive defaults. */
  env?: EnvironmentOptions | undefined
  /**
   * What becomes of processes that the command leaves running: `'adopt'` (default) lets them live and lists them,
   * `'kill'` ends them before the call returns.
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
  /** Default: the limits of this process. */
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
  environment: CommandEnvironment
  killSurvivors: boolean
  separateStreams: boolean
  onOutput: ((event: OutputEvent) => void) | undefined
  output: OutputProfile
  saveOutput: SaveTarget | undefined
  termGraceMs: number
  limits: ResourceLimits
  shellPath: string | undefined
  /** The job that survivors become. */
  adoption: JobPlan | undefined
  session: SessionPlan | undefined
}

export const timeoutRange = [1, 86_400_000] as const
export const graceRange = [0, 10_000] as const
const defaultGraceMs = 2000

/** Above it a command is refused: nobody types that much, and something has gone wrong. */
const maxCommandBytes = 4 * 1024 * 1024

const defaultEnvironment = new CommandEnvironment({})

const names = [
  'cwd',
  'timeout',
  'cancelSignal',
  'sandbox',
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

/** @throws {BashError} ERR_INVALID_INPUT when `command` is not a string that can be run */
export function checkCommand(command: unknown): asserts command is string {
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
 * @throws {BashError} ERR_INVALID_INPUT naming the option, what is allowed and what came; ERR_SANDBOX_UNAVAILABLE;
 *   ERR_WORKING_DIR when a relative path has nothing to be relative to
 */
export function resolveOptions(options: RunOptions): ResolvedOptions {
  checkObject('options', options, names)
  checkAbortSignal('cancelSignal', options.cancelSignal)
  checkFunction('onOutput', options.onOutput)
  if (options.env !== undefined) validateEnvironmentOptions(options.env)
  if (options.shellPath !== undefined) checkAbsolutePath('shellPath', options.shellPath)
  checkSandbox('sandbox', options.sandbox)
  const { timeout, termGraceMs = defaultGraceMs } = options
  const separateStreams = checkOneOf('streams', options.streams, ['merged', 'separate']) === 'separate'
  const saveOutput = checkSaveOutput('saveOutput', options.saveOutput)
  if (separateStreams && saveOutput !== undefined) {
    throw invalidInput('saveOutput', "must be left out with streams: 'separate'", options.saveOutput)
  }
  return {
    cwd: resolveDirectory('cwd', options.cwd),
    timeoutMs: timeout === undefined ? 0 : checkInteger('timeout', timeout, timeoutRange, 'milliseconds'),
    cancelSignal: options.cancelSignal,
    // A copy: the caller's object may change.
    environment:
      options.env === undefined ? defaultEnvironment : new CommandEnvironment(structuredClone(options.env)),
    killSurvivors: checkOneOf('survivors', options.survivors, ['adopt', 'kill']) === 'kill',
    separateStreams,
    onOutput: options.onOutput,
    output: profileOf(checkFlag('normalizeOutput', options.normalizeOutput), saveOutput !== undefined),
    saveOutput,
    termGraceMs: checkInteger('termGraceMs', termGraceMs, graceRange, 'milliseconds'),
    limits: { ...checkLimits('limits', options.limits) },
    shellPath: options.shellPath,
    adoption: undefined,
    session: undefined,
  }
}

function profileOf(normalize: boolean, save: boolean): OutputProfile {
  if (!normalize) return bashProfile
  return save ? savedNormalizedBashProfile : normalizedBashProfile
}

/** @throws {BashError} ERR_INVALID_INPUT, or ERR_SANDBOX_UNAVAILABLE for `'restricted'` */
export function checkSandbox(field: string, sandbox: unknown): void {
  if (checkOneOf(field, sandbox, ['unrestricted', 'restricted']) === 'unrestricted') return
  throw new BashError(
    'ERR_SANDBOX_UNAVAILABLE',
    'Restricted mode is not available yet in this version of bashward',
  )
}

/** The absolute path; a relative one is taken from the process's working directory. */
export function resolveDirectory(field: string, directory: unknown): string {
  if (typeof directory !== 'string' || directory === '' || directory.includes('\0')) {
    throw invalidInput(field, 'must be the path of a directory', directory)
  }
  try {
    return resolve(directory)
  } catch (cause) {
    // process.cwd() throws when the process's own working directory is gone.
    throw systemError('ERR_WORKING_DIR', { step: 'getcwd', errno: constants.errno.ENOENT }, cause)
  }
}
