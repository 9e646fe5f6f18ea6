// fleet.release(): the end of a conversation.

import { checkIdentifier } from '../../../base/util/identifier.js'
import { checkFlag, checkObject } from '../../../base/util/invalid-input.js'
import { randomHex } from '../../../base/util/lazy.js'
import { asError } from '../failures.js'
import type { FleetClient } from './fleet-client.js'
import { answered } from './in-time.js'

export interface ReleaseOptions {
  tenant?: string | undefined
  /**
   * Gives it up without its worker, which may be gone for good: what it has there is lost, and stays on its disk. Should the
   * worker still run, its commands are cancelled as soon as it finds out. Default false.
   */
  abandon?: boolean | undefined
}

const names = ['tenant', 'abandon'] as const satisfies readonly (keyof ReleaseOptions)[]

const limitMs = 60_000

export async function releaseConversation(
  client: FleetClient,
  conversationId: string,
  options: ReleaseOptions = {},
): Promise<boolean> {
  checkIdentifier('conversationId', conversationId)
  const { tenant: given, abandon } = checkObject('options', options, names)
  const tenant = given === undefined ? undefined : checkIdentifier('options.tenant', given)
  const isAbandoned = checkFlag('options.abandon', abandon)
  const binding = await answered(client.placement.find(tenant, conversationId))
  if (binding === undefined) return false
  if (!isAbandoned) {
    const answer = await client.send({
      operation: 'release',
      tool: 'KillBash',
      input: null,
      conversationId,
      toolCallId: randomHex(8),
      tenant,
      session: false,
      detached: false,
      limitMs,
    })
    if (answer.kind === 'refused') throw asError(answer.refusal)
  }
  if (await answered(client.placement.unbind(tenant, conversationId, binding))) return true
  // What was known of it was out of date: another client has given it up before, and it may have begun anew.
  const present = isAbandoned ? await answered(client.placement.find(tenant, conversationId)) : undefined
  if (present !== undefined) await answered(client.placement.unbind(tenant, conversationId, present))
  return true
}
