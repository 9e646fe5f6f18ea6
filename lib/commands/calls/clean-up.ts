// Forgetting calls: those that nobody can send again any more, and the oldest output of many.

import { constants as fs, promises } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { BashError } from '../../base/errors.js'
import { openRegular } from '../../base/util/regular-file.js'
import type { Engine } from '../../processes/engine/engine.js'
import { directoryError } from './errors.js'
import { ledgerEngine } from './ledger-engine.js'
import type { LedgerSettings } from './ledger-options.js'
import { isOwned } from './look.js'
import { isOlderThan, markBytes, readMark } from './mark.js'

const dayMs = 24 * 60 * 60 * 1000
/** A call is not sent again after a week. */
const keptMs = 7 * dayMs
/** Bytes behind marks, all together. */
const quota = 256 * 1024 * 1024
/** A temporary file is in use for a moment. */
const temporaryMs = 60 * 60 * 1000
const pauseMs = 60 * 60 * 1000

/** When it was last done in a directory, as performance.now() gives it. */
const last = new Map<string, number>()

/** After calls; it waits for nothing, and what fails is tried again later. */
export function cleanUpNowAndThen(ledger: LedgerSettings): void {
  const now = performance.now()
  const before = last.get(ledger.directory)
  // Not after the first call: many programs make one.
  if (before === undefined) last.set(ledger.directory, Number.NEGATIVE_INFINITY)
  if (before === undefined || now - before < pauseMs) return
  last.set(ledger.directory, now)
  cleanUpCalls(ledger).catch(() => {})
}

/** What this process does, by the directory. */
const running = new Map<string, Promise<number>>()

/** @returns how many calls were forgotten; 0 when another process does it now. @throws {BashError} ERR_CALL_DIRECTORY */
export async function cleanUpCalls({ directory }: LedgerSettings): Promise<number> {
  for (let other = running.get(directory); other !== undefined; other = running.get(directory)) {
    await other.catch(() => {})
  }
  const own = cleanUpAlone(directory).finally(() => running.delete(directory))
  running.set(directory, own)
  return await own
}

async function cleanUpAlone(directory: string): Promise<number> {
  const engine = await ledgerEngine()
  const unlock = lock(engine, join(directory, 'clean-up.lock'))
  if (unlock === undefined) return 0
  try {
    return await cleanUp(engine, directory)
  } finally {
    unlock()
  }
}

/**
 * Whoever removes a mark does it alone: between the look at an old one and its removal it may not be replaced by a young one.
 *
 * @returns what gives it back; undefined when somebody else has it, or there is no such directory
 */
function lock(engine: Engine, path: string): (() => void) | undefined {
  const { EAGAIN, ENOENT } = constants.errno
  const answer = engine.lockFile(path)
  if (typeof answer !== 'object') return answer
  if (answer.errno === EAGAIN || answer.errno === ENOENT) return undefined
  throw directoryError('lock', path, { errno: answer.errno })
}

async function cleanUp(engine: Engine, directory: string): Promise<number> {
  const kept: { path: string; output: number; mtimeMs: number }[] = []
  let forgotten = 0
  try {
    for await (const { name } of await promises.opendir(directory)) {
      const path = join(directory, name)
      if (name.endsWith('.tmp')) await removeTemporary(engine, path)
      if (!/^[0-9a-f]{64}$/.test(name)) continue
      if (isOver(engine, path)) {
        await promises.rm(path, { force: true })
        forgotten += 1
      } else {
        const stats = await promises.lstat(path).catch(() => undefined)
        if (stats === undefined) continue
        const { size, mtimeMs } = stats
        if (stats.isFile() && size > markBytes) kept.push({ path, output: size - markBytes, mtimeMs })
      }
    }
    kept.sort((a, b) => b.mtimeMs - a.mtimeMs)
    let total = 0
    for (const { path, output } of kept) {
      total += output
      if (total > quota && !isOwned(engine, path)) await cut(path)
    }
  } catch (error) {
    throw BashError.isInstance(error) ? error : directoryError('clean up', directory, error)
  }
  return forgotten
}

/** Leaves the mark. */
async function cut(path: string): Promise<void> {
  const file = await openRegular(path, fs.O_RDWR)
  try {
    await file.truncate(markBytes)
  } finally {
    await file.close()
  }
}

/** What cannot be read is kept. */
function isOver(engine: Engine, path: string): boolean {
  try {
    const mark = readMark(path)
    return typeof mark === 'object' && isOlderThan(mark, keptMs) && !isOwned(engine, path)
  } catch {
    return false
  }
}

async function removeTemporary(engine: Engine, path: string): Promise<void> {
  const stats = await promises.lstat(path).catch(() => undefined)
  if (stats === undefined || Date.now() - stats.mtimeMs < temporaryMs) return
  if (!isOwned(engine, path)) await promises.rm(path, { force: true })
}
