// Forgetting calls: those that nobody can send again any more, and the oldest output of many.

import { promises } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../engine/engine.js'
import { bootId } from '../jobs/identity.js'
import type { CallLedger } from './call-ledger.js'
import { directoryError } from './errors.js'
import { isOwned } from './look.js'
import { bootedMs, readMark } from './mark.js'
import { resultPath } from './results.js'
import { ledgerEngine } from './run-once.js'

const dayMs = 24 * 60 * 60 * 1000
/** A call is not sent again after a week. */
const keptMs = 7 * dayMs
/** Bytes of results, all together. */
const quota = 256 * 1024 * 1024
/** A temporary file is in use for a moment. */
const temporaryMs = 60 * 60 * 1000
const pauseMs = 10 * 60 * 1000

const last = new Map<string, number>()

/** After calls; it waits for nothing, and what fails is tried again later. */
export function cleanUpNowAndThen(ledger: CallLedger): void {
  const now = performance.now()
  const before = last.get(ledger.directory)
  if (before !== undefined && now - before < pauseMs) return
  last.set(ledger.directory, now)
  // The first time comes with the second call: many programs make one.
  if (before !== undefined) cleanUpCalls(ledger).catch(() => {})
}

/** @throws {BashError} ERR_CALL_DIRECTORY */
export async function cleanUpCalls({ directory }: CallLedger): Promise<number> {
  const engine = await ledgerEngine()
  const results: { path: string; size: number; mtimeMs: number }[] = []
  let forgotten = 0
  try {
    for await (const { name } of await promises.opendir(directory)) {
      const path = join(directory, name)
      if (name.endsWith('.tmp')) await removeTemporary(engine, path)
      else if (/^[0-9a-f]{64}\.result$/.test(name)) {
        const stats = await promises.stat(path).catch(() => undefined)
        if (stats !== undefined) results.push({ path, size: stats.size, mtimeMs: stats.mtimeMs })
      } else if (/^[0-9a-f]{64}$/.test(name) && isOld(engine, path)) {
        // The result first: it must not be taken for that of a later call.
        await promises.rm(resultPath(path), { force: true })
        await promises.rm(path, { force: true })
        forgotten += 1
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return forgotten
    throw directoryError('readdir', directory, error)
  }
  results.sort((a, b) => b.mtimeMs - a.mtimeMs)
  let total = 0
  for (const { path, size } of results) {
    total += size
    if (total > quota) await promises.rm(path, { force: true })
  }
  return forgotten
}

/** By the clock, and, of this boot, by the time that has passed: clocks jump. */
function isOld(engine: Engine, path: string): boolean {
  const mark = readMark(path)
  if (typeof mark !== 'object') return false
  const passed = bootedMs()
  const isOfThisBoot = mark.bootId === bootId() && mark.bootedMs !== null && passed !== null
  if (Date.now() - mark.createdAt <= keptMs) return false
  if (isOfThisBoot && passed - (mark.bootedMs ?? 0) <= keptMs) return false
  return !isOwned(engine, path)
}

async function removeTemporary(engine: Engine, path: string): Promise<void> {
  const stats = await promises.stat(path).catch(() => undefined)
  if (stats === undefined || Date.now() - stats.mtimeMs < temporaryMs) return
  if (!isOwned(engine, path)) await promises.rm(path, { force: true })
}
