// The last look at a request before it starts: whose its conversation is, and whether it was taken back or is too late.

import type { Redis } from 'ioredis'
import { cancelled, late, notStarted, type Refusal } from '../failures.js'
import { claimTtlMs } from '../limits.js'
import { cancelKey, claimKey, jobKey } from '../names.js'
import { claimScript, runScript } from '../redis/scripts.js'
import type { Running } from './running.js'

/** From here on nobody is told that it has not started. @returns why it must not start */
export async function claim(redis: Redis, worker: string, running: Running): Promise<Refusal | undefined> {
  const { request, jobId, queue } = running
  const keys = [jobKey(worker, queue, jobId), claimKey(worker, jobId), cancelKey(worker, jobId)]
  const args = [request.sending, request.notAfter, claimTtlMs]
  const answer = await runScript(redis, claimScript, keys, args)
  if (answer === 'claimed') {
    running.isClaimed = true
    return undefined
  }
  if (answer === 'late') return late()
  return answer === 'gone' ? notStarted('its request was lost meanwhile') : cancelled
}
