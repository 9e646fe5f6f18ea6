// What becomes of the options of any command.

import type { Place } from '../../base/util/check-options.js'
import type { CheckedPolicy, Sandbox, SandboxName } from '../../guard/sandbox/policy.js'
import { type ResourceLimits, restrictedLimits } from '../../guard/sandbox/resource-limits.js'
import { defaultScratch } from '../../guard/sandbox/scratch.js'
import type { JobPlan, MarkPlan, SessionPlan, TerminalSize } from '../../processes/engine/request.js'
import { CommandEnvironment } from '../../processes/environment/command-environment.js'
import type { EnvironmentOptions } from '../../processes/environment/environment-options.js'
import {
  bashProfile,
  charactersProfile,
  normalizedBashProfile,
  type OutputProfile,
  savedNormalizedBashProfile,
} from '../../processes/output/profile.js'
import type { CheckedCommandOptions } from './command-options.js'
import { ownInput } from './input.js'
import type { OutputEvent } from './result.js'

/** Options that a command runs with in another form. */
type Transformed =
  | 'env'
  | 'timeout'
  | 'normalizeOutput'
  | 'survivors'
  | 'scratch'
  | 'workspace'
  | 'maxOutputChars'

/** The options with every default filled in. */
export interface ResolvedOptions extends Omit<CheckedCommandOptions, Transformed> {
  cwd: string
  /** 0: none. */
  timeoutMs: number
  cancelSignal: AbortSignal | undefined
  sandbox: SandboxName
  /** Undefined in Unrestricted mode. */
  policy: CheckedPolicy | undefined
  /** Where its relative paths begin. */
  policyBase: string
  scratch: Place | undefined
  environment: CommandEnvironment
  killSurvivors: boolean
  separateStreams: boolean
  onOutput: ((event: OutputEvent) => void) | undefined
  /** What the command reads: bytes, or a descriptor of this process. */
  input: Uint8Array | number | undefined
  output: OutputProfile
  /** Asked for the job that survivors become, when there are some; undefined: they become none. */
  adoption: (() => JobPlan | undefined) | undefined
  /** Asked for the job that the command becomes at `backgroundAfter`; undefined: it does not. */
  handOver: (() => JobPlan | undefined) | undefined
  session: SessionPlan | undefined
  /** Of a call that may start once. */
  mark?: MarkPlan | undefined
  /** Of a job; undefined: it has no terminal. */
  terminal?: TerminalSize | undefined
}

const defaultEnvironments = {
  unrestricted: new CommandEnvironment({}),
  confined: new CommandEnvironment({}, { offline: true }),
  confinedWithScratch: new CommandEnvironment({}, { offline: true, ownTmpdir: true }),
  online: new CommandEnvironment({}),
  onlineWithScratch: new CommandEnvironment({}, { ownTmpdir: true }),
}

/**
 * Those of a command in one sandbox, before it is known where it runs and who listens.
 *
 * @param terminal of jobs that get one
 */
export function resolveCommandOptions(
  options: CheckedCommandOptions,
  { name, policy }: Sandbox,
  terminal?: TerminalSize,
): ResolvedOptions {
  const {
    env,
    timeout,
    normalizeOutput,
    survivors,
    required,
    limits,
    scratch: given,
    workspace,
    maxOutputChars,
    ...others
  } = options
  const isConfined = policy !== undefined
  const canWrite = isConfined && policy.writable.length > 0
  const scratch = isConfined ? scratchOf(given, canWrite || name === 'workspace') : undefined
  return {
    cwd: '/',
    timeoutMs: timeout ?? 0,
    cancelSignal: undefined,
    sandbox: name,
    policy,
    policyBase: '/',
    scratch,
    required: isConfined ? required : [],
    environment: environmentOf(env, policy, scratch, terminal !== undefined),
    // What can change files is for servers and builds.
    killSurvivors: survivors === undefined ? isConfined && !canWrite : survivors === 'kill',
    separateStreams: false,
    onOutput: undefined,
    input: ownInput(),
    output: profileOf(normalizeOutput, others.saveOutput !== undefined, maxOutputChars),
    limits: limitsOf(limits, canWrite ? undefined : scratch),
    adoption: undefined,
    handOver: undefined,
    session: undefined,
    ...(terminal !== undefined && { terminal }),
    // Last: as the first of a literal it takes V8 twenty times as long.
    ...others,
  }
}

function scratchOf(given: Place | false | undefined, byDefault: boolean): Place | undefined {
  if (given === undefined && byDefault) return defaultScratch()
  return given === false ? undefined : given
}

function profileOf(normalize: boolean, save: boolean, maxChars: number | undefined): OutputProfile {
  if (maxChars !== undefined) return charactersProfile({ maxChars, wholeLines: true, normalize, save })
  if (!normalize) return bashProfile
  return save ? savedNormalizedBashProfile : normalizedBashProfile
}

/** With a copy of the options: the caller's object may change. */
function environmentOf(
  env: EnvironmentOptions | undefined,
  policy: CheckedPolicy | undefined,
  scratch: Place | undefined,
  terminal = false,
): CommandEnvironment {
  const online = policy !== undefined && policy.network !== false
  if (env === undefined && !terminal) {
    if (policy === undefined) return defaultEnvironments.unrestricted
    const name = online ? 'online' : 'confined'
    return defaultEnvironments[scratch === undefined ? name : (`${name}WithScratch` as const)]
  }
  const offline = policy !== undefined && !online
  const changes = { offline, ownTmpdir: scratch !== undefined, terminal }
  return new CommandEnvironment(structuredClone(env ?? {}), changes)
}

/**
 * No single file may be larger than the directory: that is looked at only now and then, this by the kernel.
 *
 * @param scratch undefined also where other files can be written
 */
function limitsOf(limits: ResourceLimits, scratch: Place | undefined): ResourceLimits {
  if (scratch === undefined) return { ...limits }
  const { fileSizeBytes } = restrictedLimits(limits)
  return { ...limits, fileSizeBytes: Math.min(fileSizeBytes, scratch.maxBytes) }
}
