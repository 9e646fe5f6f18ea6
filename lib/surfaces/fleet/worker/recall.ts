// A Redis that has forgotten which worker has a conversation is told again, by whoever has it on its disk: otherwise it might be
// given to another worker, where it would begin anew, and a call that is sent again would run once more.

import type { Redis } from 'ioredis'
import { bindingKey } from '../names.js'
import { holdScript, runScript } from '../redis/scripts.js'
import type { Holdings } from './holdings.js'

/**
 * What Redis has given to another one meanwhile, or what was given up, is not this disk's any more.
 *
 * @param disk the id of its state directory
 * @throws as Redis
 */
export async function recall(redis: Redis, worker: string, disk: string, holdings: Holdings): Promise<void> {
  for await (const some of holdings.all()) {
    const held = some.filter(({ holding }) => holding.state === 'held')
    await Promise.all(
      held.map(async ({ conversation, holding: { epoch } }) => {
        const owner = await runScript(redis, holdScript, [bindingKey(conversation)], [worker, epoch, disk])
        if (owner === worker || holdings.read(conversation)?.epoch !== epoch) return
        holdings.lose(conversation, epoch)
      }),
    )
  }
}
