// The ends of some jobs of a conversation, told once. Whoever watches with the conversation's name tells them instead, and
// what was told here is acknowledged for it.

import { BashError } from '../../../base/errors.js'
import { consumerDirectoryName, consumerPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { isThere, jobPaths } from '../directory.js'
import { inspectJob, isLocked } from '../inspect.js'
import { isUnlisted } from '../remove.js'
import { conversationKey } from './brief.js'
import { Consumer } from './consumer.js'
import { endedJob, type Redact } from './end-event.js'
import { eventText } from './event.js'

export type { Redact }

/** The others are for the next result. */
const maxEnds = 20

/**
 * Never rejects.
 *
 * @param ids of jobs, the oldest first
 * @param untold what is called before the end of a job is told, and says whether nobody else has told it; and what is called
 *   when it could not be told after all
 * @returns sentences for the model. What cannot be read at the moment is left for later
 */
export async function takeEnds(
  root: string,
  conversationId: string,
  ids: readonly string[],
  redact: Redact,
  { take, giveBack }: { take(id: string): boolean; giveBack(id: string): void },
): Promise<string[]> {
  const ended = ids.filter((id) => hasEnded(root, id))
  if (ended.length === 0) return []
  const texts: string[] = []
  let consumer: Consumer | undefined
  try {
    consumer = await openConsumer(root, conversationId)
    for (const id of ended.slice(0, maxEnds)) {
      if (!take(id) || isUnlisted(root, id) || consumer?.hasAcknowledged(id) === true) continue
      const found = await endedJob(root, id, redact).catch((error: unknown) => {
        giveBack(id)
        throw error
      })
      if (found === undefined) continue
      texts.push(eventText({ type: 'end', ...found, acknowledge: async () => {} }))
      consumer?.acknowledge(id)
    }
  } catch (error) {
    if (BashError.isInstance(error) && error.code === 'ERR_CONSUMER_BUSY') ended.forEach(take)
  } finally {
    consumer?.close()
  }
  return texts
}

function hasEnded(root: string, id: string): boolean {
  const { exit, output } = jobPaths(root, id)
  try {
    // While its supervisor lives nothing has to be read.
    if (isLocked(output) === true && !isThere(exit)) return false
    return inspectJob(root, id)?.status !== 'running'
  } catch {
    return false
  }
}

/** @returns undefined when nobody has ever watched with that name */
async function openConsumer(root: string, conversationId: string): Promise<Consumer | undefined> {
  const { directory } = consumerPaths(root, consumerDirectoryName(conversationId))
  if (!isThere(directory)) return undefined
  return await Consumer.open(root, conversationId, {
    conversation: conversationKey(conversationId),
    jobId: null,
  })
}
