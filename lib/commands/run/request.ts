// What the engine is asked for, from checked options.

import { part } from '../../base/util/load-part.js'
import type { CommandNetwork } from '../../guard/proxy/command-network.js'
import type * as Confinement from '../../guard/sandbox/confinement.js'
import { findBash } from '../../guard/sandbox/find-bash.js'
import { commandNetwork } from '../../guard/sandbox/network-policy.js'
import { type CheckedPolicy, domainsOf, isBrokered } from '../../guard/sandbox/policy.js'
import { encodeLimits } from '../../guard/sandbox/resource-limits.js'
import { newScratchDirectory } from '../../guard/sandbox/scratch.js'
import {
  type CommandRequest,
  type ConfinementPlan,
  type JobPlan,
  readOnlyPlan,
} from '../../processes/engine/request.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import { confinedPlan } from '../jobs/plan.js'
import { isSocket } from './input.js'
import type { ResolvedOptions } from './resolved-options.js'
import { newSavePath } from './save-output.js'

/** Where the prologue finds the BASH_ENV of the command. bash takes the last of two variables of a name. */
const userFileVariable = '__bashward_env'

/** Of each end of the output, kept for the search of error lines where there is no file to search. */
const searchedBytes = 1024 * 1024

/** @throws {BashError} ERR_SPAWN when there is no bash; ERR_INVALID_INPUT for a path of a policy */
export function buildRequest(
  command: string,
  options: ResolvedOptions,
  environment: EncodedEnvironment,
  job?: JobPlan,
  network?: CommandNetwork,
): CommandRequest {
  const { session, saveOutput, output, errorLines, sandbox, policy } = options
  const searched = errorLines !== undefined && saveOutput === undefined ? searchedBytes : 0
  const host = environment.host ?? environment
  const shell = options.shellPath ?? findBash(host)
  const confinement =
    policy === undefined ? undefined : planConfinement(policy, options, { environment: host, shell }, network)
  return {
    shell,
    command,
    directory: options.cwd,
    environment: environment.encoded,
    variables: ownVariables(environment, options, confinement, network),
    input: options.input,
    separateStreams: options.separateStreams,
    headBytes: Math.max(output.headBytes, searched),
    tailBytes: Math.max(output.tailBytes, searched),
    timeoutMs: options.timeoutMs,
    graceMs: options.termGraceMs,
    killSurvivors: options.killSurvivors,
    savePath: saveOutput === undefined ? '' : newSavePath(saveOutput),
    saveLimit: saveOutput?.maxBytes ?? 0,
    background: job !== undefined,
    ...(job !== undefined && { terminal: options.terminal }),
    backgroundAfterMs: options.handOver === undefined ? 0 : (options.backgroundAfter ?? 0),
    ...jobPlans(job, options, shell, confinement),
    session,
    mark: options.mark,
    limits: encodeLimits(options.limits, sandbox),
    confinement,
  }
}

/** With what confines them, where something does. */
function jobPlans(
  job: JobPlan | undefined,
  { adoption, handOver, sandbox, policy }: ResolvedOptions,
  shell: string,
  plan: ConfinementPlan | undefined,
): Pick<CommandRequest, 'job' | 'adoption' | 'handOver'> {
  if (plan === undefined || policy === undefined || sandbox === 'unrestricted')
    return { job, adoption, handOver }
  const confined = (each: JobPlan | undefined): JobPlan | undefined => {
    const { writable, unreadable, cacheDirectory, sharedMemory, scratchDirectory } = plan
    const { loopback, unixSockets } = plan
    const paths = { writable, unreadable, cacheDirectory, sharedMemory, scratchDirectory }
    const network = { loopback, unixSockets, domains: domainsOf(policy) }
    return each && confinedPlan(each, { name: sandbox, shell, ...paths, ...network })
  }
  return {
    job: confined(job),
    adoption: adoption && (() => confined(adoption())),
    handOver: handOver && (() => confined(handOver())),
  }
}

function planConfinement(
  policy: CheckedPolicy,
  { scratch, cwd, policyBase: base, sandbox, required }: ResolvedOptions,
  place: { environment: EncodedEnvironment; shell: string },
  network?: CommandNetwork,
): ConfinementPlan {
  const allowed = allowsNothing(policy)
    ? readOnlyPlan
    : confinement().planPolicy(policy, { base, cwd, field: fields[sandbox], required, ...place })
  const plan = network === undefined ? allowed : { ...allowed, proxy: network.proxy }
  const scratchDirectory = scratch && newScratchDirectory(scratch)
  if (scratch === undefined || scratchDirectory === undefined) return plan
  return { ...plan, scratchDirectory, scratchLimit: scratch.maxBytes }
}

/** The paths of a policy, for who has to heed them without a command. */
export function policyPaths(options: ResolvedOptions): Pick<ConfinementPlan, 'writable' | 'unreadable'> {
  const { policy, shellPath } = options
  if (policy === undefined) return readOnlyPlan
  const environment = options.environment.current()
  const place = { environment, shell: shellPath ?? findBash(environment) }
  return planConfinement(policy, { ...options, scratch: undefined }, place)
}

/** What messages call a policy. */
const fields = { unrestricted: '', restricted: '', workspace: 'workspace', custom: 'sandbox' }

/** Whether it has nothing but what Restricted mode has. */
const allowsNothing = (policy: CheckedPolicy): boolean =>
  policy.unreadable.length === 0 && !policy.sharedMemory && !isBrokered(policy)

/** Whether a directory could be among the writable ones of a policy. */
export function isAllowedRoot(
  directory: string,
  { shell }: CommandRequest,
  { environment }: ResolvedOptions,
): boolean {
  const current = environment.current()
  const host = current.host ?? current
  const place = { base: '/', cwd: '/', environment: host, shell, field: '', required: [] }
  return confinement().refusalOf(directory, place) === undefined
}

/** Only policies that allow something need it. */
const confinement = part((): typeof Confinement => require('../../guard/sandbox/confinement.js'))

/** With PWD bash keeps the name by which a directory was given, where a symbolic link is part of it. */
function ownVariables(
  { withoutPwd, bashEnv, given }: EncodedEnvironment,
  { cwd, session, input }: ResolvedOptions,
  { scratchDirectory, cacheDirectory = scratchDirectory }: ConfinementPlan = readOnlyPlan,
  network?: CommandNetwork,
): string {
  let variables = withoutPwd ? `PWD=${cwd}\0` : ''
  // As a first shell that reads a socket, bash takes itself for that of rshd and reads ~/.bashrc (bash(1), INVOCATION).
  if (isSocket(input)) variables += 'SHLVL=1\0'
  if (network !== undefined) variables += networkVariables(network, cacheDirectory, given)
  if (scratchDirectory !== '') variables += `TMPDIR=${scratchDirectory}\0`
  if (session !== undefined) {
    if (bashEnv !== undefined) variables += `${userFileVariable}=${bashEnv}\0`
    // bash reads what BASH_ENV names before the command.
    variables += `BASH_ENV=/dev/fd/${session.prologueDescriptor}\0`
  }
  return variables
}

/** What the caller has set goes before. @param cacheDirectory empty for none */
function networkVariables(
  { variables }: CommandNetwork,
  cacheDirectory: string,
  given: EncodedEnvironment['given'] = {},
): string {
  const caches = cacheDirectory === '' ? {} : commandNetwork().cacheVariables(cacheDirectory)
  // That of the command is its scratch directory.
  const { TMPDIR: _, ...all } = { ...variables, ...caches }
  return Object.entries(all)
    .filter(([name]) => !Object.hasOwn(given, name))
    .map(([name, value]) => `${name}=${value}\0`)
    .join('')
}
