// What a worker tells on the fleet's channel of a request that has not started.

import { publishFleet } from '../events.js'
import type { Refusal } from '../failures.js'
import type { Running } from './running.js'

/** @param running undefined: nobody knows whose it is */
export function tellRefused(worker: string, { code }: Refusal, running?: Running): void {
  const { conversationId, toolCallId, tool } = running?.request ?? {}
  publishFleet({
    type: 'refused',
    worker,
    code,
    ...(conversationId !== undefined && { conversationId }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(tool !== undefined && { tool }),
  })
}
