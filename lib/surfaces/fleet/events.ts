// What a fleet tells about itself, on a channel of node:diagnostics_channel. Never what a command prints.

import { channel } from 'node:diagnostics_channel'

/** The channel that every {@link FleetEvent} is published on. */
export const fleetChannel = 'bashward:fleet'

/**
 * - `queued`, `answered`: of a client. A call was sent; it has its answer, whose `code` is that of an error if it is one
 * - `faulted`: of a client. A look at a call, or a sign of life (without a call), has failed, and is tried again; `code` is
 *   Redis's word for it, or the name of the error
 * - `started`, `finished`, `refused`: of a worker. Its command is about to start; it has ended; it has not started
 * - `fenced`: of a worker. A call was cancelled, as its conversation belongs to another one by now
 * - `orphaned`: of a worker. A call was cancelled, as its client is gone
 * - `registered`, `draining`, `drained`: of a worker
 * - `trouble`: of a worker. A `step` of what it does besides its calls has failed, and is tried again: `message` says why
 */
export interface FleetEvent {
  type:
    | 'queued'
    | 'answered'
    | 'faulted'
    | 'started'
    | 'finished'
    | 'refused'
    | 'fenced'
    | 'orphaned'
    | 'registered'
    | 'draining'
    | 'drained'
    | 'trouble'
  worker: string
  conversationId?: string
  toolCallId?: string
  tenant?: string
  tool?: string
  /** Of an answer: `completed`, `failed`, … */
  status?: string
  code?: string
  /** Milliseconds: of `started` in the queue, of `finished` and `answered` from its beginning on. */
  durationMs?: number
  /** Of `answered`: bytes of live output that were left out. */
  dropped?: number
  /** Of `answered`: nobody knows whether it has run. */
  unknown?: boolean
  /** Of `trouble`. */
  step?: string
  message?: string
  /** As the caller gave it: the W3C trace context of the call. */
  traceparent?: string
}

// Kept for good: a channel that nobody refers to is collected.
const fleet = channel(fleetChannel)

export const hasFleetListener = (): boolean => fleet.hasSubscribers

export function publishFleet(event: FleetEvent): void {
  if (fleet.hasSubscribers) fleet.publish(event)
}
