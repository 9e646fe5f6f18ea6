// Which requests a worker takes. Each check is made before anything of a request is believed that it is about.

import type { Redis } from 'ioredis'
import { BashError, messageOf } from '../../../base/errors.js'
import { callName } from '../../../commands/calls/identity.js'
import { fenced, type Refusal, releasedHere, stale, tooLarge, unsigned } from '../failures.js'
import { jobIdOf } from '../job-id.js'
import { maxRequestBytes } from '../limits.js'
import { bindingKey, execQueue, type QueueName } from '../names.js'
import { type FleetRequest, readRequest, type SignedRequest } from '../request.js'
import { type AcceptedKeys, isSigned } from '../signing.js'
import type { Holdings } from './holdings.js'
import type { Tombstones } from './tombstones.js'

export interface Gate {
  worker: string
  incarnation: string
  keys: AcceptedKeys
  redis: Redis
  tombstones: Tombstones
  holdings: Holdings
}

export type Checked =
  | { request: FleetRequest; refusal?: Refusal }
  /** Nobody knows whose it is: there is nobody to be told. */
  | { request?: undefined; refusal: Refusal }

/** Who has written it, and whom it is for. */
export function checkSigned(gate: Gate, queue: QueueName, jobId: string, data: unknown): Checked {
  const signed = data as Partial<SignedRequest> | null
  const { body, key, signature } = signed ?? {}
  if (typeof body !== 'string' || typeof key !== 'string' || typeof signature !== 'string') {
    return { refusal: unsigned('its request is not signed') }
  }
  const size = Buffer.byteLength(body)
  if (size > maxRequestBytes) return { refusal: tooLarge('the request', size, maxRequestBytes) }
  if (!isSigned({ body, key, signature }, gate.keys)) {
    return { refusal: unsigned('its request is not signed by a key that this worker accepts') }
  }
  let request: FleetRequest
  try {
    request = readRequest(body)
  } catch (error) {
    return {
      refusal: { code: BashError.isInstance(error) ? error.code : 'ERR_INTERNAL', message: messageOf(error) },
    }
  }
  // What was signed for one worker, and one call, is nothing for another.
  if (request.worker !== gate.worker) return { refusal: unsigned('it was signed for another worker') }
  const expected = queue === execQueue ? jobIdOf(request, nameOf(request)) : request.sending
  if (jobId !== expected) return { refusal: unsigned('it was signed for another call') }
  const isCommand = request.operation === 'run' && (request.tool === 'bash' || request.tool === 'Bash')
  if (isCommand !== (queue === execQueue)) return { refusal: unsigned('it was signed for another queue') }
  if (request.incarnation !== gate.incarnation) return { request, refusal: stale }
  return { request }
}

export const nameOf = ({ tenant, conversationId, toolCallId }: FleetRequest): string =>
  callName(tenant, { callId: toolCallId, conversationId })

/** Whether its conversation is still this worker's. */
export async function checkOwner(
  gate: Gate,
  conversation: string,
  request: FleetRequest,
): Promise<Refusal | undefined> {
  const bound = await checkBound(gate, conversation, request)
  if (!gate.tombstones.has(conversation, request.epoch)) return bound
  return bound === undefined ? releasedHere : fenced(true)
}

/**
 * The same of a release, which may have begun before: then it goes on, unless something was begun anew since. That of a binding
 * which a Redis that went back in time has again is none of a newer one.
 */
export async function checkReleasable(
  gate: Gate,
  conversation: string,
  request: FleetRequest,
): Promise<Refusal | undefined> {
  const { tombstones, holdings } = gate
  const held = holdings.read(conversation)
  const isNewer = held !== undefined && held.epoch !== request.epoch
  if (isNewer && tombstones.has(conversation, request.epoch)) return fenced(true)
  return await checkBound(gate, conversation, request)
}

async function checkBound(
  { worker, redis }: Gate,
  conversation: string,
  { epoch }: FleetRequest,
): Promise<Refusal | undefined> {
  const [owner, bound] = await redis.hmget(bindingKey(conversation), 'worker', 'epoch')
  if (bound === null || bound === undefined) return fenced(false)
  return owner === worker && bound === epoch ? undefined : fenced(true)
}
