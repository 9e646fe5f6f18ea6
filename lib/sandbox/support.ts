// What the system says of the means of Restricted mode when it is asked, before anything is tried out.

import { platform } from 'node:os'
import { currentEngine } from '../engine/choose.js'
import type { SandboxSupport } from '../engine/engine.js'
import { type LandlockState, landlockReason, landlockState } from './landlock.js'
import type { Protection } from './protections.js'

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
    return { ...none, state: 'unknown', refusal: error instanceof Error ? error.message : String(error) }
  }
  const { landlock: abi, signals, seccomp } = support
  const state = landlockState(abi)
  if (state !== 'enabled') return withoutLandlock(state)
  return { abi, state, missing: signals ? [] : ['signals'], refusal: seccomp ? undefined : noSeccomp }
}

const none = { abi: 0, missing: [] }

function withoutLandlock(state: Exclude<LandlockState, 'enabled' | 'unknown'>): Support {
  return { ...none, state, refusal: landlockReason(state) }
}

const noSeccomp =
  'the kernel has no seccomp filters, or a container refuses them (needs CONFIG_SECCOMP_FILTER)'
