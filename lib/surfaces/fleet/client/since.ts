// Since when Redis knows what it knows. One that has just been started, or has forgotten everything, hears within a moment from
// each worker which conversations it has; until then nobody can tell that a conversation has no worker.

import type { Redis } from 'ioredis'
import { sinceKey } from '../names.js'
import { runScript, sinceScript } from '../redis/scripts.js'

const longestPauseMs = 250

/**
 * Looks again and again, until it is found or every worker has had its time.
 *
 * @param graceMs that time
 * @returns undefined when it is not there
 * @throws as `look`, or Redis
 */
export async function onceRecalled<Found>(
  redis: Redis,
  graceMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (;;) {
    const leftMs = graceMs - Number(await runScript(redis, sinceScript, [sinceKey]))
    const found = await look()
    if (found !== undefined || leftMs <= 0) return found
    await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, longestPauseMs)))
  }
}
