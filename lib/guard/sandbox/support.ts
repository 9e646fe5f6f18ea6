// What the system says of the means of the sandbox when it is asked, before anything is tried out.

import { constants, platform, release } from 'node:os'
import { messageOf } from '../../base/errors.js'
import { currentEngine } from '../../processes/engine/choose.js'
import type { SandboxSupport } from '../../processes/engine/engine.js'
import type { Protection } from './protections.js'

/**
 * - `notBuiltIn`: the kernel is older than 5.13, or was built without it
 * - `disabledAtBoot`: built in, but not among the security modules that the kernel was started with
 * - `blocked`: something above this process refuses the system calls, such as a container's seccomp filter
 * - `requiresLinux`: this is another system
 * - `unknown`: the engine could not be asked
 */
export type LandlockState =
  | 'enabled'
  | 'notBuiltIn'
  | 'disabledAtBoot'
  | 'blocked'
  | 'requiresLinux'
  | 'unknown'

export interface Support {
  /** The version of Landlock's ABI; 0 where there is none. */
  abi: number
  state: LandlockState
  /** Protections that Restricted mode would lack. */
  missing: Protection[]
  /** Why there is no Restricted mode, and what it takes; undefined when there may be one. */
  refusal: string | undefined
}

/** A few system calls, and the addon when it is not loaded yet. */
export function sandboxSupport(): Support {
  if (platform() !== 'linux') return withoutLandlock('requiresLinux')
  let support: SandboxSupport
  try {
    support = currentEngine().sandboxSupport()
  } catch (error) {
    return { ...none, state: 'unknown', refusal: messageOf(error) }
  }
  const { landlock: abi, signals, seccomp } = support
  const state = landlockState(abi)
  if (state !== 'enabled') return withoutLandlock(state)
  return { abi, state, missing: signals ? [] : ['signals'], refusal: seccomp ? undefined : noSeccomp }
}

const none = { abi: 0, missing: [] }

function withoutLandlock(state: Exclude<LandlockState, 'enabled' | 'unknown'>): Support {
  return { ...none, state, refusal: reasons[state] }
}

/** Why there is no Workspace mode, and what it takes; undefined when there may be one. */
export function workspaceRefusal({ abi, state, refusal }: Support): string | undefined {
  if (state === 'unknown') return refusal
  if (state !== 'enabled') return workspaceReasons[state]
  return abi < workspaceAbi ? `${olderLandlock}; this kernel, ${release()}, has ABI ${abi}` : refusal
}

const workspaceAbi = 2
const olderLandlock =
  'it needs Landlock ABI 2 (Linux 5.19), without which nothing can be moved from one directory to another'

const noSeccomp =
  'the kernel has no seccomp filters, or a container refuses them (needs CONFIG_SECCOMP_FILTER)'

/** @param answer the ABI version, or a negative error number */
function landlockState(answer: number): Exclude<LandlockState, 'requiresLinux' | 'unknown'> {
  if (answer > 0) return 'enabled'
  if (answer === -constants.errno.ENOSYS) return 'notBuiltIn'
  if (answer === -constants.errno.EOPNOTSUPP) return 'disabledAtBoot'
  return 'blocked'
}

/** Why there is no such mode, and what it takes, in words for the operator of the machine. */
const reasons = {
  notBuiltIn: 'the kernel has no Landlock; it needs Linux 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK',
  disabledAtBoot:
    "Landlock is built into the kernel but disabled at boot; add it to the kernel's lsm= parameter, such as lsm=landlock,lockdown,yama",
  blocked:
    'the Landlock system calls are blocked, probably by the seccomp profile of a container; it has to allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self',
  requiresLinux: 'Restricted mode requires Linux with Landlock (5.13 or newer)',
}

const workspaceReasons = {
  ...reasons,
  notBuiltIn: 'the kernel has no Landlock; it needs Linux 5.19 or newer, built with CONFIG_SECURITY_LANDLOCK',
  requiresLinux: 'Workspace mode requires Linux with Landlock (5.19 or newer)',
}
