// The options of createFleet(), and their checks.

import type { KeyObject } from 'node:crypto'
import type { RedisOptions } from 'ioredis'
import { checkInteger, checkObject, checkType, invalidInput } from '../../../base/util/invalid-input.js'
import { type ClientTimings, clientTimings } from '../limits.js'
import { checkConnection, type FleetConnection } from '../redis/connection.js'
import { checkSigningKey } from '../signing.js'

export interface FleetOptions {
  /** Where Redis is: a URL without a password, or its parts. */
  connection: string | FleetConnection
  /** The Ed25519 private key that requests are signed with: PEM, or a KeyObject. Workers are given its public key. */
  signingKey: string | KeyObject
  /**
   * Chooses the worker of a conversation that has none: the name of one of `workers`. Called once for each; whoever can
   * tell by other means should, and always give the same. Default: by the name of the conversation among those that are
   * there, the same one as long as those are.
   */
  place?: ((conversation: PlacedConversation) => string | Promise<string>) | undefined
  limits?: FleetLimits | undefined
  /** Milliseconds, for large fleets. */
  timings?: Partial<ClientTimings> | undefined
}

export interface PlacedConversation {
  conversationId: string
  tenant?: string | undefined
  /** Names of the workers that are there and do not drain, sorted. */
  workers: readonly string[]
}

export interface FleetLimits {
  /** Calls of a tenant that wait or run, in all processes together. 1…100000, default 64. */
  perTenant?: number | undefined
  /** Milliseconds that a call may wait before its command starts, 100…3600000. Default 30000. */
  queueMs?: number | undefined
}

export interface CheckedFleetOptions {
  connection: RedisOptions
  signingKey: KeyObject
  place: FleetOptions['place']
  perTenant: number
  queueMs: number
  timings: ClientTimings
}

const names = [
  ...['connection', 'signingKey', 'place', 'limits', 'timings'],
] as const satisfies readonly (keyof FleetOptions)[]
const limitNames = ['perTenant', 'queueMs'] as const satisfies readonly (keyof FleetLimits)[]
const timingNames = Object.keys(clientTimings) as (keyof ClientTimings)[]

/** @throws {BashError} ERR_INVALID_INPUT naming the option */
export function checkFleetOptions(options: unknown): CheckedFleetOptions {
  const { connection, signingKey, place, limits, timings } = checkObject('options', options, names)
  const { perTenant = 64, queueMs = 30_000 } = checkObject('options.limits', limits ?? {}, limitNames)
  return {
    connection: checkConnection('options.connection', connection),
    signingKey: checkSigningKey('options.signingKey', signingKey),
    place: checkType<NonNullable<FleetOptions['place']>>('options.place', place, 'function'),
    perTenant: checkInteger('options.limits.perTenant', perTenant, [1, 100_000]),
    queueMs: checkInteger('options.limits.queueMs', queueMs, [100, 3_600_000], 'milliseconds'),
    timings: checkTimings(timings ?? {}),
  }
}

function checkTimings(value: unknown): ClientTimings {
  const given = checkObject('options.timings', value, timingNames)
  const timings = { ...clientTimings }
  for (const name of timingNames) {
    if (given[name] === undefined) continue
    timings[name] = checkInteger(`options.timings.${name}`, given[name], [10, 600_000], 'milliseconds')
  }
  const { beatMs, aliveMs } = timings
  // One sign of life that is late must not cancel all calls.
  if (aliveMs < 2 * beatMs) {
    const need = `must be at least twice timings.beatMs (${beatMs} milliseconds)`
    throw invalidInput('options.timings.aliveMs', need, aliveMs)
  }
  return timings
}
