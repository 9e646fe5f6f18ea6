// What the kernel answers when it is asked for Landlock, and what to do about it.

import { constants } from 'node:os'

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

/** @param answer the ABI version, or a negative error number */
export function landlockState(answer: number): Exclude<LandlockState, 'requiresLinux' | 'unknown'> {
  if (answer > 0) return 'enabled'
  if (answer === -constants.errno.ENOSYS) return 'notBuiltIn'
  if (answer === -constants.errno.EOPNOTSUPP) return 'disabledAtBoot'
  return 'blocked'
}

/** Why there is no Restricted mode, and what it takes, in words for the operator of the machine. */
export function landlockReason(state: Exclude<LandlockState, 'enabled' | 'unknown'>): string {
  return reasons[state]
}

const reasons = {
  notBuiltIn: 'the kernel has no Landlock; it needs Linux 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK',
  disabledAtBoot:
    "Landlock is built into the kernel but disabled at boot; add it to the kernel's lsm= parameter, such as lsm=landlock,lockdown,yama",
  blocked:
    'the Landlock system calls are blocked, probably by the seccomp profile of a container; it has to allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self',
  requiresLinux: 'Restricted mode requires Linux with Landlock (5.13 or newer)',
}
