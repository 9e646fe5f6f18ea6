// How long it is kept that a job has ended: as long as the job, and until every consumer that wants it has acknowledged it.

import { rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { watchPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { directoryError, isJobId, isThere, jobPaths } from '../directory.js'
import { entriesOf, isWanted, type KnownConsumer, knownConsumers, noteMissedEnds } from './consumer.js'
import { type EndRecord, readEndRecord } from './end-record.js'
import { settleJob } from './settle.js'

/** Ends that a consumer may leave unacknowledged. */
export const maxUnacknowledged = 10_000
/** A consumer that has not come for so long is forgotten. */
const maxConsumerAgeMs = 7 * 24 * 60 * 60 * 1000
const looksPerTurn = 50

/**
 * Removes the ends of removed jobs that nobody has to be told of any more, with what was noted about them.
 *
 * @throws {BashError} (rejects) ERR_JOB_DIRECTORY with step, errno and path
 */
export async function removeToldEnds(root: string): Promise<void> {
  const { ended, running } = watchPaths(root)
  // The marks first: one of an end that is not there afterwards belongs to none that will ever be told again.
  const consumers = knownConsumers(root, maxConsumerAgeMs, ageOf)
  const ids = entriesOf(ended).filter(isJobId)
  const begun = entriesOf(running).filter(isJobId)
  const there = new Set([...ids, ...begun])
  // Of a job that somebody has removed by hand, or that has not started.
  for (const id of begun) if (!isThere(jobPaths(root, id).directory)) settleJob(root, id)
  for (const consumer of consumers) {
    for (const id of consumer.acked) {
      const isUsed = there.has(id) || isThere(jobPaths(root, id).directory)
      if (!isUsed) remove(join(consumer.paths.acked, id))
    }
  }
  const kept: { id: string; endedAt: number; wantedBy: KnownConsumer[] }[] = []
  let looks = 0
  for (const id of ids) {
    if (++looks % looksPerTurn === 0) await nextTurn()
    if (isThere(jobPaths(root, id).directory)) continue
    const record = readEndRecord(join(ended, id))?.value
    const wantedBy = consumers.filter(({ acked, scope }) => !acked.has(id) && mayWant(scope, record))
    if (wantedBy.length > 0) kept.push({ id, endedAt: endedAtOf(record), wantedBy })
    else removeEnd(root, id, consumers)
  }
  kept.sort((a, b) => b.endedAt - a.endedAt)
  const missed = new Map<KnownConsumer, number>()
  for (const { id, wantedBy } of kept.slice(maxUnacknowledged)) {
    removeEnd(root, id, consumers)
    for (const consumer of wantedBy) missed.set(consumer, (missed.get(consumer) ?? 0) + 1)
  }
  for (const [consumer, count] of missed) noteMissedEnds(consumer, count)
  removeEmpty(root)
}

/** What nobody has to be told: a call has told of this end, or there was no job. */
export function forgetJob(root: string, id: string): void {
  const { running, ended } = watchPaths(root)
  for (const directory of [running, ended]) remove(join(directory, id))
  removeEmpty(root)
}

/** Whoever needs one makes it again. Where there is a consumer, somebody may watch them. */
function removeEmpty(root: string): void {
  const { running, ended, consumers } = watchPaths(root)
  if (entriesOf(consumers).length > 0) return
  for (const directory of [consumers, ended, running]) {
    try {
      rmdirSync(directory)
    } catch {
      // It is in use, or not there.
    }
  }
}

/** The end first: as long as it is there, the marks have to be. */
function removeEnd(root: string, id: string, consumers: readonly KnownConsumer[]): void {
  remove(join(watchPaths(root).ended, id))
  for (const { acked, paths } of consumers) if (acked.has(id)) remove(join(paths.acked, id))
}

const mayWant = (scope: KnownConsumer['scope'], record: EndRecord | undefined): boolean =>
  record === undefined || isWanted(scope, record)

/** Milliseconds since the epoch. */
export const endedAtOf = (record: EndRecord | undefined): number =>
  record?.exit?.endedAt ?? record?.lostAt ?? record?.createdAt ?? 0

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (cause) {
    throw directoryError('rm', path, cause)
  }
}

function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs
}
