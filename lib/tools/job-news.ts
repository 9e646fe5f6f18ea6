// The ends of a conversation's background jobs: told with the next result of one of its tools, once.

import { part } from '../base/util/load-part.js'
import type { JobStore } from '../commands/jobs/store.js'
import type * as UntoldEnds from '../commands/jobs/watch/untold-ends.js'
import type { BashResult } from '../commands/run/result.js'
import type { ResolvedContext } from './context.js'

/** What a result has of it: see BashResult. */
export type JobNews = Pick<BashResult, 'news'>

export interface ToldJobs {
  /** Whose end a later result tells. */
  started?: string | undefined
  /** Whose end the result itself tells. */
  ended?: string | undefined
}

/** By the conversation: the jobs of this process that have not been told of, by the directory that they are in. */
const untold = new Map<string, Map<string, string>>()
/** Nobody may come back to them. */
const mostConversations = 10_000
const mostJobs = 1000

const ends = part((): typeof UntoldEnds => require('../commands/jobs/watch/untold-ends.js'))

export interface NewsParts {
  store: () => JobStore
  /** As of a read. */
  redact: UntoldEnds.Redact
}

/**
 * Adds the news to the result. The disk is looked at only for a conversation with jobs of which nothing has been told.
 * Never rejects.
 */
export async function tellNews<Result extends JobNews>(
  result: Result,
  context: Pick<ResolvedContext<Result>, 'owner' | 'cancel'> | undefined,
  { store, redact }: NewsParts,
  { started, ended }: ToldJobs,
): Promise<Result> {
  const { owner: { conversationId } = {}, cancel } = context ?? {}
  if (conversationId === undefined) return result
  const jobs = untold.get(conversationId) ?? new Map<string, string>()
  if (ended !== undefined) jobs.delete(ended)
  if (started !== undefined) jobs.set(started, store().directory)
  keep(conversationId, jobs)
  // Nobody reads the result of a call that was cancelled.
  if (jobs.size === 0 || cancel?.aborted === true) return result
  try {
    const { directory } = store()
    const ids = [...jobs].filter(([, place]) => place === directory).map(([id]) => id)
    const take = (id: string) => {
      const isUntold = jobs.delete(id)
      keep(conversationId, jobs)
      return isUntold
    }
    const giveBack = (id: string) => {
      jobs.set(id, directory)
      keep(conversationId, jobs)
    }
    const news = await ends().takeEnds(directory, conversationId, ids, redact, { take, giveBack })
    if (news.length > 0) result.news = news
  } catch {
    // No call fails for it: its own store may have no directory.
  }
  return result
}

/** Of a command: the job that it has started, or left behind. Of one that ran before nothing is news. */
export const startedBy = ({ status, jobId, survivors, replayed }: BashResult): ToldJobs =>
  replayed !== true && (status === 'background' || survivors.length > 0) ? { started: jobId } : {}

function keep(conversationId: string, jobs: Map<string, string>): void {
  untold.delete(conversationId)
  if (jobs.size > 0) untold.set(conversationId, jobs)
  for (const surplus of [...jobs.keys()].slice(0, Math.max(0, jobs.size - mostJobs))) jobs.delete(surplus)
  for (const oldest of untold.keys()) {
    if (untold.size <= mostConversations) break
    untold.delete(oldest)
  }
}
