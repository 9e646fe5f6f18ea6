// A named consumer of the ends of jobs: what it has acknowledged is on the disk, and one process at a time acts for it.

import { closeSync, mkdirSync, openSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { constants as os } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BashError, systemError } from '../../../base/errors.js'
import { readRegularFile, replaceFile } from '../../../base/util/regular-file.js'
import { preview } from '../../../base/util/schema/preview.js'
import { currentEngine } from '../../../processes/engine/choose.js'
import {
  type ConsumerPaths,
  consumerDirectoryName,
  consumerPaths,
  watchPaths,
} from '../../../processes/engine/job-format/watch-layout.js'
import { directoryError, directoryIdentity, isThere } from '../directory.js'
import type { EndRecord } from './end-record.js'

/** Whose ends are wanted; null: everybody's. */
export interface Scope {
  conversation: string | null
  jobId: string | null
}

/** A process that is just being started holds the locks of its parent for a moment. */
const lockTries = 10
const lockPauseMs = 20

export function isWanted({ conversation, jobId }: Scope, { id, conversation: its }: EndRecord): boolean {
  return (conversation === null || conversation === its) && (jobId === null || jobId === id)
}

export class Consumer {
  readonly #name: string
  readonly #scope: Scope
  readonly #paths: ConsumerPaths
  #unlock: () => void
  /** That of the directory whose lock it has. */
  #identity: string | undefined
  #isOpen = true

  /**
   * @throws {BashError} (rejects) ERR_CONSUMER_BUSY when another watcher has the name; ERR_UNSUPPORTED_PLATFORM without
   *   the native engine; ERR_JOB_DIRECTORY
   */
  static async open(root: string, name: string, scope: Scope): Promise<Consumer> {
    const paths = consumerPaths(root, consumerDirectoryName(name))
    for (let left = lockTries; ; left -= 1) {
      const unlock = tryLock(paths)
      if (unlock !== undefined) return new Consumer(name, scope, paths, unlock)
      if (left === 0) throw busy(name)
      await delay(lockPauseMs)
    }
  }

  private constructor(name: string, scope: Scope, paths: ConsumerPaths, unlock: () => void) {
    this.#name = name
    this.#scope = scope
    this.#paths = paths
    this.#unlock = unlock
    try {
      this.#widen(scope)
      this.#identity = identityOf(paths)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * To be called before each look: of a directory that has been replaced, it takes the new one's lock.
   *
   * @throws {BashError} ERR_CONSUMER_BUSY when somebody else was faster; ERR_JOB_DIRECTORY
   */
  check(): void {
    const isReplaced = this.#isOpen && identityOf(this.#paths) !== this.#identity
    if (!isReplaced) return
    const unlock = tryLock(this.#paths)
    if (unlock === undefined) throw busy(this.#name)
    this.#unlock()
    this.#unlock = unlock
    this.#widen(this.#scope)
    this.#identity = identityOf(this.#paths)
  }

  /** What was acknowledged, of ends that are still there. */
  acknowledged(): Set<string> {
    return new Set(entriesOf(this.#paths.acked))
  }

  hasAcknowledged(id: string): boolean {
    return isThere(join(this.#paths.acked, id))
  }

  /** @throws {BashError} ERR_JOB_DIRECTORY: a full disk, for one. The end is told again then */
  acknowledge(id: string): void {
    this.check()
    const path = join(this.#paths.acked, id)
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw directoryError('open', path, cause)
    }
  }

  /** How many ends it will not be told of. */
  get missed(): number {
    return missedOf(this.#paths)
  }

  miss(count: number): void {
    noteMissed(this.#paths, count)
  }

  acknowledgeMissed(): void {
    try {
      rmSync(this.#paths.missed, { force: true })
    } catch (cause) {
      throw directoryError('rm', this.#paths.missed, cause)
    }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    touch(this.#paths.lock)
    this.#unlock()
  }

  /** A name that is used for one conversation and then for another keeps what either has not acknowledged. */
  #widen({ conversation, jobId }: Scope): void {
    const { scope: path, acked, lock } = this.#paths
    try {
      mkdirSync(acked, { mode: 0o700, recursive: true })
      touch(lock)
      const old = readScope(path)
      const same = <Value>(before: Value, now: Value) => (old === undefined || before === now ? now : null)
      const wide = {
        conversation: same(old?.conversation, conversation),
        jobId: same(old?.jobId, jobId),
      }
      if (old !== undefined && old.conversation === wide.conversation && old.jobId === wide.jobId) return
      replaceFile(path, JSON.stringify({ version: 1, ...wide }))
    } catch (cause) {
      throw directoryError('write', path, cause)
    }
  }
}

/** Undefined when it is not there. */
function identityOf({ directory }: ConsumerPaths): string | undefined {
  try {
    return directoryIdentity(directory)
  } catch {
    return undefined
  }
}

/** @returns undefined when somebody else has it */
function tryLock({ directory, lock }: ConsumerPaths): (() => void) | undefined {
  try {
    mkdirSync(directory, { mode: 0o700, recursive: true })
  } catch (cause) {
    throw directoryError('mkdir', directory, cause)
  }
  const answer = currentEngine().lockFile(lock)
  if (typeof answer === 'function') return answer
  if (answer === undefined) {
    const reason = 'a named consumer of the ends of jobs needs the native engine, for its lock'
    throw new BashError('ERR_UNSUPPORTED_PLATFORM', `${reason}: watch without a consumer`)
  }
  // Expired, and removed at this moment.
  if (answer.errno === os.errno.EAGAIN || answer.errno === os.errno.ENOENT) return undefined
  throw systemError('ERR_JOB_DIRECTORY', { step: 'lock', errno: answer.errno, path: lock })
}

function busy(name: string): BashError {
  const message = `consumer ${preview(name)}: somebody else watches with this name, in this process or another one`
  return new BashError('ERR_CONSUMER_BUSY', message)
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // It counts from an earlier day then.
  }
}

const maxScopeBytes = 64 * 1024

function readScope(path: string): Scope | undefined {
  try {
    const { conversation = null, jobId = null } = JSON.parse(readRegularFile(path, maxScopeBytes).toString())
    return { conversation, jobId }
  } catch {
    return undefined
  }
}

function missedOf({ missed }: ConsumerPaths): number {
  try {
    return Number.parseInt(readRegularFile(missed, maxScopeBytes).toString(), 10) || 0
  } catch {
    return 0
  }
}

function noteMissed(paths: ConsumerPaths, count: number): void {
  const { missed } = paths
  try {
    replaceFile(missed, String(missedOf(paths) + count))
  } catch (cause) {
    throw directoryError('write', missed, cause)
  }
}

/** @throws {BashError} ERR_JOB_DIRECTORY; what is not there has no entries */
export function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw directoryError('readdir', directory, cause)
  }
}

/** A consumer as a clean-up sees it. */
export interface KnownConsumer {
  paths: ConsumerPaths
  scope: Scope
  acked: Set<string>
}

/**
 * The consumers that still want to be told.
 *
 * @param maxAgeMs one that has not come for longer, and does not watch, is removed
 */
export function knownConsumers(
  root: string,
  maxAgeMs: number,
  ageOf: (path: string) => number,
): KnownConsumer[] {
  const known: KnownConsumer[] = []
  for (const name of entriesOf(watchPaths(root).consumers)) {
    const paths = consumerPaths(root, name)
    if (ageOf(paths.lock) > maxAgeMs) expire(paths, maxAgeMs, ageOf)
    if (!isThere(paths.directory)) continue
    const scope = readScope(paths.scope) ?? { conversation: null, jobId: null }
    known.push({ paths, scope, acked: new Set(entriesOf(paths.acked)) })
  }
  return known
}

function expire(paths: ConsumerPaths, maxAgeMs: number, ageOf: (path: string) => number): void {
  const unlock = currentEngine().lockFile(paths.lock)
  if (typeof unlock !== 'function') return
  try {
    // It may have come meanwhile, and gone again.
    if (ageOf(paths.lock) > maxAgeMs) rmSync(paths.directory, { recursive: true, force: true })
  } catch (cause) {
    throw directoryError('rm', paths.directory, cause)
  } finally {
    unlock()
  }
}

/** For ends that are removed although this consumer has not acknowledged them. */
export function noteMissedEnds({ paths }: KnownConsumer, count: number): void {
  noteMissed(paths, count)
}
