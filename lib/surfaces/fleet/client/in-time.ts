// Steps that wait for a Redis that may be away.

import { onAbort } from '../../../base/util/listeners.js'
import { timeLimit } from '../../../base/util/time-limit.js'
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
    const releases = [
      timeLimit(forMs, () => reject(asError(notStarted('Redis did not answer in time')))),
      onAbort(cancel, () => reject(asError(cancelled))),
      onAbort(closing, () => reject(asError(closed))),
    ]
    stop = () => {
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
export async function answered<Value>(question: Promise<Value>, forMs = controlQueueMs): Promise<Value> {
  let stop = () => {}
  const late = new Promise<never>((_, reject) => {
    stop = timeLimit(forMs, () => reject(asError(noReply)))
  })
  try {
    return await Promise.race([question, late])
  } finally {
    stop()
  }
}

const noReply = { code: 'ERR_NO_ANSWER', message: 'Redis did not answer in time' }
