// Steps that wait for a Redis that may be away.

import { onAbort } from '../../util/listeners.js'
import { asError, cancelled, closed, notStarted } from '../failures.js'
import { controlQueueMs } from '../limits.js'

/**
 * What the steps give, unless they take too long, are cancelled, or their fleet is closed.
 *
 * @throws {BashError} ERR_NOT_STARTED; ERR_CANCELLED; as the steps
 */
export async function inTime<Value>(
  steps: Promise<Value>,
  forMs: number,
  cancel?: AbortSignal | undefined,
  closing?: AbortSignal | undefined,
): Promise<Value> {
  let stop = () => {}
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(asError(notStarted('Redis did not answer in time'))), forMs)
    const releases = [
      onAbort(cancel, () => reject(asError(cancelled))),
      onAbort(closing, () => reject(asError(closed))),
    ]
    stop = () => {
      clearTimeout(timer)
      for (const release of releases) release()
    }
  })
  try {
    return await Promise.race([steps, ended])
  } finally {
    stop()
  }
}

/**
 * What Redis answers to a question that is about no call.
 *
 * @throws {BashError} ERR_NO_ANSWER; as the question
 */
export async function answered<Value>(question: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(asError(noReply)), controlQueueMs)
  })
  try {
    return await Promise.race([question, late])
  } finally {
    clearTimeout(timer)
  }
}

const noReply = { code: 'ERR_NO_ANSWER', message: 'Redis did not answer in time' }
