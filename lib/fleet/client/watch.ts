// Looks at calls that have no answer: the inbox is only faster. No call waits for somebody who is gone, and none is told
// that it has not started unless that is certain.

import { Job } from 'bullmq'
import type { Redis } from 'ioredis'
import { type CallState, readAnswer } from '../answer.js'
import { cancelled, late, noAnswer, notStarted, type Refusal, workerLost } from '../failures.js'
import { type ClientTimings, cancelTtlMs } from '../limits.js'
import { answerKey, cancelChannel, cancelKey, claimKey, execQueue, jobKey, resultKey } from '../names.js'
import { retractScript, runScript, takeScript } from '../redis/scripts.js'
import type { Call } from './call.js'
import type { Nodes } from './nodes.js'
import type { Queues } from './queues.js'

/** What has become of a call, as its worker knows it from its disk; undefined: it does not answer. */
export type Witness = (call: Call) => Promise<CallState | undefined>

type Retracted = 'result' | 'claimed' | 'other' | 'gone' | 'retracted'

/** Redis's clock is a little ahead or behind: what is late there is late here after that. */
const clockSlackMs = 250
/** How often a call is looked at that follows another sending, or has not been heard of for a while. */
const quietMs = 2000
/** Looks in a row that must have found no worker. */
const missedLooks = 2

export class Watch {
  readonly #redis: Redis
  readonly #nodes: Nodes
  readonly #queues: Queues
  readonly #witness: Witness
  readonly #timings: ClientTimings
  /** When Redis was there again: heartbeats need a moment to be back. */
  #backAt = Number.NEGATIVE_INFINITY

  constructor(redis: Redis, nodes: Nodes, queues: Queues, witness: Witness, timings: ClientTimings) {
    this.#redis = redis
    this.#nodes = nodes
    this.#queues = queues
    this.#witness = witness
    this.#timings = timings
  }

  /** Milliseconds of performance.now(): from then on a worker that is not there is gone. */
  get settledAt(): number {
    return this.#backAt + this.#timings.aliveMs
  }

  /** To be called when Redis is there again. */
  redisIsBack(): void {
    this.#backAt = performance.now()
  }

  /** Never rejects. */
  async look(call: Call): Promise<void> {
    if (performance.now() > call.sent.answerBy) return refuse(call, noAnswer('no answer came in time'))
    if (call.isWatched || this.#redis.status !== 'ready') return
    call.isWatched = true
    try {
      await this.#look(call)
    } catch {
      // Redis went away meanwhile: the next look, or the deadline.
    } finally {
      call.isWatched = false
    }
  }

  async #look(call: Call): Promise<void> {
    const { request, startBy } = call.sent
    const now = performance.now()
    const node = await this.#nodes.get(request.worker)
    if (node?.incarnation !== request.incarnation) {
      // A heartbeat needs a moment after Redis was away.
      const isSettling = node === undefined && now < this.settledAt
      call.missed = isSettling ? 0 : call.missed + 1
      if (call.missed < (node === undefined ? missedLooks : 1)) return
      return await this.#workerIsGone(call, node !== undefined)
    }
    call.missed = 0
    const isQuiet = now - call.heardAt > quietMs
    if ((call.follows || isQuiet) && (await this.take(call, true))) return
    if (call.cancelAsked && isQuiet) await this.cancel(call)
    if (!call.hasStarted && !call.follows && now > startBy + clockSlackMs) return await this.#isLate(call)
    if (now - call.heardAt > this.#timings.patienceMs) await this.#askWorker(call)
  }

  /**
   * @param looksAtJob where the answers stand that nobody could be sent: to other sendings, and to strangers
   * @returns whether there was an answer
   */
  async take(call: Call, looksAtJob = call.follows): Promise<boolean> {
    const { request, jobId, queue, call: name } = call.sent
    const keys = [answerKey(request.worker, request.sending), resultKey(request.worker, name)]
    const [kind, text] = (await runScript(this.#redis, takeScript, keys)) as [string?, string?]
    if (text !== undefined && (kind === 'answer' || kind === jobId)) {
      const answer = readAnswer(text)
      const isReplay = kind === jobId && call.follows && answer.kind === 'result'
      call.finish(isReplay ? { ...answer, replayed: true } : answer)
      return true
    }
    if (!looksAtJob) return false
    if (call.follows && (await this.#jobIsGone(call))) {
      // The one that was there came to nothing: this one takes its place.
      if (performance.now() < call.sent.startBy) await call.enqueue()
      return call.isAnswered
    }
    const job = await Job.fromId(this.#queues.get(request.worker, queue), jobId)
    if (job?.finishedOn === undefined || typeof job.returnvalue !== 'string') return false
    call.finish(readAnswer(job.returnvalue))
    return true
  }

  async #jobIsGone({ sent: { request, queue, jobId } }: Call): Promise<boolean> {
    return (await this.#redis.exists(jobKey(request.worker, queue, jobId))) === 0
  }

  /** Takes a call back, or has it killed if it runs. */
  async cancel(call: Call): Promise<void> {
    call.cancelAsked = true
    const retracted = await this.#retract(call, true)
    if (retracted === 'retracted' && !call.hasDoubts) {
      refuse(call, cancelled)
      this.#remove(call)
    }
    // It goes on: somebody else has sent it.
    if (retracted === 'other' || (retracted === 'claimed' && call.follows)) refuse(call, cancelled)
  }

  async #isLate(call: Call): Promise<void> {
    const retracted = await this.#retract(call)
    if (retracted === 'result') await this.take(call)
    if (retracted === 'claimed') {
      call.hasStarted = true
      call.heardAt = performance.now()
    }
    if (retracted === 'other') call.follows = true
    if (retracted === 'gone' || (retracted === 'retracted' && call.hasDoubts)) await this.#askWorker(call)
    if (retracted === 'retracted' && !call.hasDoubts) {
      refuse(call, late(call.sent.queueMs))
      this.#remove(call)
    }
  }

  /** @param isBack whether another process has its name, and can read its disk */
  async #workerIsGone(call: Call, isBack: boolean): Promise<void> {
    if (await this.take(call)) return
    if (call.sent.queue !== execQueue) return refuse(call, workerLost(call.sent.request.worker))
    const retracted = await this.#retract(call)
    if (retracted === 'result' && (await this.take(call))) return
    const isUnstarted = retracted === 'retracted' || retracted === 'other'
    if (isUnstarted && !call.hasStarted && !call.hasDoubts) {
      refuse(call, notStarted('its worker was gone before it could'))
      this.#remove(call)
    } else if (isBack) await this.#askWorker(call)
    else refuse(call, workerLost(call.sent.request.worker))
  }

  /** The disk of the worker is the better witness. */
  async #askWorker(call: Call): Promise<void> {
    const { worker } = call.sent.request
    if (await this.take(call, true)) return
    const state = call.sent.queue === execQueue ? await this.#witness(call) : undefined
    if (call.isAnswered) return
    if (state?.state === 'result' && state.result !== undefined) {
      call.finish({ kind: 'result', result: state.result, replayed: true })
    } else if (state?.state === 'running') {
      call.hasStarted = true
      call.heardAt = performance.now()
    } else if (state?.state === 'never' && !call.hasStarted) {
      // It was taken back before the question: it does not start any more.
      refuse(call, notStarted('it was lost before its worker could take it'))
      this.#remove(call)
    } else refuse(call, workerLost(worker))
  }

  async #retract(call: Call, cancels = false): Promise<Retracted> {
    const { request, jobId, queue, call: name } = call.sent
    const { worker, sending } = request
    const keys = [
      jobKey(worker, queue, jobId),
      claimKey(worker, jobId),
      resultKey(worker, name),
      cancelKey(worker, jobId),
      cancelChannel(worker),
    ]
    const args = [sending, jobId, cancelTtlMs, cancels ? 1 : 0]
    return (await runScript(this.#redis, retractScript, keys, args)) as Retracted
  }

  /** So that the same call can be sent again; and a worker need not take what it must not start. */
  #remove({ sent: { request, queue, jobId } }: Call): void {
    this.#queues.remove(request.worker, queue, jobId)
  }
}

export function refuse(call: Call, refusal: Refusal): void {
  call.finish({ kind: 'refused', refusal })
}
