// What Redis knows of a call, and what can be done to its job: each in one step, as workers take jobs meanwhile.

import type { Redis } from 'ioredis'
import { type Answer, readAnswer } from '../answer.js'
import { answerTtlMs, cancelTtlMs } from '../limits.js'
import {
  aliveKey,
  answerKey,
  cancelChannel,
  cancelKey,
  claimKey,
  completedKey,
  execQueue,
  failedKey,
  jobKey,
  resultKey,
  waitKey,
} from '../names.js'
import { cancelOtherScript, displaceScript, retractScript, runScript, takeScript } from '../redis/scripts.js'
import type { FleetRequest, SignedRequest } from '../request.js'
import type { Call } from './call.js'

/** See {@link retractScript}. */
type Found = 'answered' | 'claimed' | 'finished' | 'other' | 'queued' | 'retracted' | 'taken' | 'gone'

/** And the sending whose job it is; empty: there is none. */
export interface Now {
  found: Found
  sending: string
}

/** A claim, or an answer, that was made since then is still there. Redis's clock says so, and it may be set. */
const keptMs = answerTtlMs / 2

export class Lookup {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async retract(
    { sent: { request, jobId, queue, call, admittedAt } }: Call,
    how: 'look' | 'retract' | 'cancel',
  ): Promise<Now> {
    const { worker, sending } = request
    const keys = [
      jobKey(worker, queue, jobId),
      claimKey(worker, jobId),
      resultKey(worker, call),
      answerKey(worker, sending),
      cancelKey(worker, jobId),
      cancelChannel(worker),
      waitKey(worker, queue),
    ]
    // What is no command is not always claimed.
    const since = queue === execQueue ? admittedAt + keptMs : 0
    const answer = await runScript(this.#redis, retractScript, keys, [
      sending,
      jobId,
      cancelTtlMs,
      how,
      since,
    ])
    const [found, of] = answer as [Found, string]
    return { found, sending: of }
  }

  /** The answer of a call, or the result that another sending of it has come to. */
  async answer({ sent: { request, jobId, call }, follows }: Call): Promise<Answer | undefined> {
    const keys = [answerKey(request.worker, request.sending), resultKey(request.worker, call)]
    const [kind, text] = (await runScript(this.#redis, takeScript, keys)) as [string?, string?]
    if (text === undefined || (kind !== 'answer' && kind !== jobId)) return undefined
    const answer = readAnswer(text)
    return kind === jobId && follows && answer.kind === 'result' ? { ...answer, replayed: true } : answer
  }

  /** What the job itself has of its end: where an answer stands that nobody could be sent. */
  async job({
    sent: { request, jobId, queue },
  }: Call): Promise<{ sending: string; isFinished: boolean; answer?: Answer } | undefined> {
    const key = jobKey(request.worker, queue, jobId)
    const fields = await this.#redis.hmget(key, 'name', 'finishedOn', 'returnvalue')
    const [sending, finishedOn, value] = fields
    if (sending === null || sending === undefined) return undefined
    const text = typeof value === 'string' ? (JSON.parse(value) as unknown) : undefined
    return {
      sending,
      isFinished: typeof finishedOn === 'string',
      ...(typeof text === 'string' && { answer: readAnswer(text) }),
    }
  }

  /** @returns whether the client that has sent the job is gone; nobody but it would cancel it, then */
  async isAbandoned({ sent: { request, jobId, queue } }: Call): Promise<boolean> {
    const data = await this.#redis.hget(jobKey(request.worker, queue, jobId), 'data')
    if (data === null) return false
    const { body } = JSON.parse(data) as Partial<SignedRequest>
    const { client } = JSON.parse(body ?? '{}') as Partial<FleetRequest>
    return typeof client === 'string' && (await this.#redis.exists(aliveKey(client))) === 0
  }

  /** Cancels the job of another sending. */
  async cancelOther({ sent: { request, jobId, queue } }: Call, sending: string): Promise<void> {
    const { worker } = request
    const keys = [jobKey(worker, queue, jobId), cancelKey(worker, jobId), cancelChannel(worker)]
    await runScript(this.#redis, cancelOtherScript, keys, [jobId, sending, cancelTtlMs])
  }

  /** Removes a job that has ended, and has come to nothing. */
  async displace({ sent: { request, jobId, queue } }: Call, sending: string): Promise<void> {
    const { worker } = request
    const keys = [jobKey(worker, queue, jobId), completedKey(worker, queue), failedKey(worker, queue)]
    await runScript(this.#redis, displaceScript, keys, [jobId, sending])
  }
}
