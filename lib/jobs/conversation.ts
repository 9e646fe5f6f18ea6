// Which jobs a conversation may end in Restricted mode: its own. What a command cannot do to the processes of others,
// no tool does for it.

import type { JobRecord } from './record.js'

const maxOwnJobs = 10_000
const ownJobs = new Set<string>()

/** Notes a job that this process has started. Of very many the oldest are forgotten. */
export function noteOwnJob(id: string): void {
  ownJobs.add(id)
  const [oldest] = ownJobs
  if (ownJobs.size > maxOwnJobs && oldest !== undefined) ownJobs.delete(oldest)
}

/**
 * @param conversationId of the call; without one, the jobs are meant that this process has started without one
 */
export function belongsTo(
  { id, conversationId: owner }: Pick<JobRecord, 'id' | 'conversationId'>,
  conversationId: string | undefined,
): boolean {
  return conversationId === undefined ? owner === null && ownJobs.has(id) : owner === conversationId
}
