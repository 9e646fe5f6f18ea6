// What a request has come to, into Redis and to its client. A result stands where everybody finds it who asks for the call;
// what one sending is told, where that one looks.

import type { Redis } from 'ioredis'
import { type Answer, writeAnswer } from '../answer.js'
import { answerTtlMs, maxResultBytes, resultTtlMs } from '../limits.js'
import { answerKey, claimKey, execQueue, resultKey } from '../names.js'
import { answerScript, finishScript, runScript } from '../redis/scripts.js'
import type { Notices } from './notices.js'
import type { Running } from './running.js'

export class Answers {
  readonly #worker: string
  readonly #redis: Redis
  readonly #notices: Notices

  constructor(worker: string, redis: Redis, notices: Notices) {
    this.#worker = worker
    this.#redis = redis
    this.#notices = notices
  }

  /**
   * Waits for a Redis that is away.
   *
   * @returns whether it is a result, which whoever sends the call again is to get
   */
  async give(running: Running, answer: Answer): Promise<boolean> {
    const { jobId, call, request, queue } = running
    const text = writeAnswer(answer)
    const claim = claimKey(this.#worker, jobId)
    const isResult = answer.kind === 'result'
    const whole =
      isResult && Buffer.byteLength(text) > maxResultBytes ? writeAnswer(withoutOutput(answer)) : text
    // Who asks about a call, as attach() does, is answered alone: the result of the call is its command's.
    const isKept = isResult && queue === execQueue && isOutcome(answer.result)
    if (isKept) {
      const args = [jobId, whole, resultTtlMs]
      await runScript(this.#redis, finishScript, [resultKey(this.#worker, call), claim], args)
    } else {
      const key = answerKey(this.#worker, request.sending)
      await runScript(this.#redis, answerScript, [key, claim], [whole, answerTtlMs, request.sending])
    }
    this.#notices.answered(running.listener)
    return isKept
  }
}

/** Whether a command has run. Who sends another one again is judged again. */
function isOutcome({ status }: Record<string, unknown>): boolean {
  return status !== 'rejected' && status !== 'invalid' && status !== 'error'
}

function withoutOutput(answer: Extract<Answer, { kind: 'result' }>): Answer {
  return { ...answer, result: { ...answer.result, output: '', outputLost: true } }
}
