// What the sandbox tells the host about itself, on a channel of node:diagnostics_channel.

import { channel } from 'node:diagnostics_channel'

/** The channel of `node:diagnostics_channel` that a {@link SandboxEvent} is published on. */
export const sandboxChannel = 'bashward:sandbox'

export type SandboxEvent = SandboxUnavailableEvent | HostCodeEvent

/** Published once in each thread where there is no Restricted mode. */
export interface SandboxUnavailableEvent {
  type: 'unavailable'
  /** Why, and what it takes. */
  reason: string
}

/**
 * Published once for the writable directories of a policy when this process has loaded code from them that is not sealed, such
 * as an addon or its own modules: a command can change what the host executes. `hostCode: 'refuse'` of the policy refuses it.
 */
export interface HostCodeEvent {
  type: 'hostCode'
  reason: string
  /** The directories. */
  writable: readonly string[]
  /** The files, libraries and addons first, 32 at most; bashward is one entry, its directory. */
  paths: readonly string[]
  /** How many more there are; absent when none. */
  dropped?: number
}

// Kept for good: a channel that nobody refers to is collected.
const events = channel(sandboxChannel)

export const watchesSandbox = (): boolean => events.hasSubscribers

export function publishSandboxEvent(event: SandboxEvent): void {
  events.publish(event)
}
