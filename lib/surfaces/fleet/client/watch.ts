// Looks at calls that have no answer: the inbox is only faster. No call waits for somebody who is gone, and none is told
// that it has not started unless that is certain: its job was taken back, or is gone, and cannot start any more.

import type { Redis } from 'ioredis'
import { messageOf } from '../../../base/errors.js'
import type { CallState } from '../answer.js'
import {
  cancelled,
  goesOn,
  late,
  noAnswer,
  notStarted,
  type Refusal,
  waitingEnded,
  workerLost,
} from '../failures.js'
import type { ClientTimings } from '../limits.js'
import { execQueue } from '../names.js'
import type { Call } from './call.js'
import { answered } from './in-time.js'
import { Lookup, type Now } from './lookup.js'
import type { Nodes } from './nodes.js'
import { tellFault } from './tell.js'

/** What has become of a call, as its worker knows it from its disk; undefined: it does not answer. */
export type Witness = (call: Call) => Promise<CallState | undefined>

/** A worker says itself what is too late for it: a client first gives it the time. */
const lateSlackMs = 250
/** How often a call is looked at that has not been heard of for a while. */
const quietMs = 2000
/** How long the last look waits for Redis, which the time may have parted from this process. */
const lastLookMs = 2000
/** Looks in a row that must have found no worker. */
const missedLooks = 2

export class Watch {
  readonly #redis: Redis
  readonly #nodes: Nodes
  readonly #lookup: Lookup
  readonly #witness: Witness
  readonly #timings: ClientTimings
  /** When Redis was there again: heartbeats need a moment to be back. */
  #backAt = Number.NEGATIVE_INFINITY

  constructor(redis: Redis, nodes: Nodes, witness: Witness, timings: ClientTimings) {
    this.#redis = redis
    this.#nodes = nodes
    this.#lookup = new Lookup(redis)
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
    if (performance.now() > call.sent.answerBy) return await this.#lastLook(call)
    if (call.isWatched || this.#redis.status !== 'ready') return
    call.isWatched = true
    try {
      await this.#look(call)
    } catch (error) {
      // Redis went away meanwhile, say: the next look, or the deadline.
      tellFault(call.sent.request, error)
    } finally {
      call.isWatched = false
    }
  }

  /** Where this process was stopped, its answer came meanwhile. */
  async #lastLook(call: Call): Promise<void> {
    if (call.isLastLook) return
    call.isLastLook = true
    const look = async () => (await this.take(call)) || (await this.#takeFromJob(call))
    await answered(look(), lastLookMs).catch((error: unknown) => tellFault(call.sent.request, error))
    refuse(call, noAnswer('no answer came in time'))
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
    if (call.addFailure !== undefined) return await this.#lookForJob(call)
    if (call.follows) return await this.#follow(call)
    const isQuiet = now - call.heardAt > quietMs
    if (isQuiet && ((await this.take(call)) || (await this.#takeFromJob(call)))) return
    if (call.cancelAsked && isQuiet) await this.cancel(call)
    if (call.isAnswered) return
    if (!call.hasStarted && now > startBy + lateSlackMs) return await this.#isLate(call)
    if (now - call.heardAt > this.#timings.patienceMs) await this.#isSilent(call)
  }

  /** @returns whether there was an answer */
  async take(call: Call): Promise<boolean> {
    const answer = await this.#lookup.answer(call)
    if (answer !== undefined) call.finish(answer)
    return answer !== undefined
  }

  /** Where the answer stands when its worker did not know whom to tell. */
  async #takeFromJob(call: Call): Promise<boolean> {
    const job = call.hasStarted ? undefined : await this.#lookup.job(call)
    if (job?.answer === undefined || job.sending !== call.sent.request.sending) return false
    call.finish(job.answer)
    return true
  }

  /** It may be in the queue all the same: what failed may be the way back. Never rejects. */
  async addFailed(call: Call, error: unknown): Promise<void> {
    call.addFailure = error
    tellFault(call.sent.request, error)
    await this.look(call)
    // Where Redis takes nothing, not even the question.
    if (call.addFailure !== undefined && isRejection(error) && !call.hasDoubts) {
      refuse(call, notStarted(messageOf(error)))
    }
  }

  async #lookForJob(call: Call): Promise<void> {
    const reason = notStarted(messageOf(call.addFailure))
    const now = await this.#lookup.retract(call, 'look')
    call.addFailure = undefined
    if (now.found === 'gone' && !call.hasDoubts) return refuse(call, reason)
    await this.#act(call, now, reason)
  }

  /** Takes a call back, or has it killed if it runs. */
  async cancel(call: Call): Promise<void> {
    call.cancelAsked = true
    // Who has only asked waits for nobody to hear that.
    if (asksOnly(call)) refuse(call, waitingEnded)
    const { found, sending } = await this.#lookup.retract(call, 'cancel')
    const isOwn = sending === '' || sending === call.sent.request.sending
    if (found === 'answered') await this.take(call)
    else if (found === 'retracted' && !call.hasDoubts && !call.hasStarted) refuse(call, cancelled)
    else if (found === 'other' || (found === 'claimed' && !isOwn)) await this.#cancelOther(call, sending)
    // It ends what runs, and does not start what it has taken or is about to be sent.
    else if (found !== 'claimed' && (found === 'retracted' || performance.now() - call.heardAt > quietMs)) {
      await this.#ask(call, cancelled)
    }
  }

  /** The call is another client's, and goes on for it. If that one is gone, this one speaks for it. */
  async #cancelOther(call: Call, sending: string): Promise<void> {
    // After Redis was away clients need a moment to be seen.
    const isKnown = performance.now() > this.settledAt
    if (isKnown && !(await this.#lookup.isAbandoned(call))) return refuse(call, goesOn)
    if (isKnown) await this.#lookup.cancelOther(call, sending)
    call.follows = true
  }

  /** Its job is that of another sending, and what that comes to is its answer, too. */
  async #follow(call: Call): Promise<void> {
    if (await this.take(call)) return
    if (call.cancelAsked) await this.cancel(call)
    if (call.isAnswered) return
    const job = await this.#lookup.job(call)
    // Results are there before their jobs are gone.
    if (job?.isFinished !== false && (await this.take(call))) return
    if (job === undefined) {
      // The one that was there came to nothing: this one takes its place.
      if (call.isAnswered) return
      if (!call.cancelAsked && performance.now() < call.sent.startBy) return await call.enqueue()
      if (call.cancelAsked) {
        // What Redis has forgotten may run all the same.
        if ((await this.#ask(call, cancelled)) === 'running') refuse(call, goesOn)
        return
      }
      await this.#ask(call, late(call.sent.queueMs))
      return
    }
    if (job.isFinished) {
      const state = await this.#ask(call, undefined)
      // It cannot start any more, and has not: the disk says so.
      if (state === 'never') await this.#lookup.displace(call, job.sending)
    } else if (performance.now() - call.heardAt > this.#timings.patienceMs) {
      await this.#ask(call, undefined)
    }
  }

  /** Redis has the last word: clocks of two machines differ, and can be set. */
  async #isLate(call: Call): Promise<void> {
    const refusal = late(call.sent.queueMs)
    const now = await this.#lookup.retract(call, 'retract')
    if (now.found === 'retracted' && !call.hasDoubts) return refuse(call, refusal)
    await this.#act(call, now, refusal)
  }

  /** Nothing was heard of it for long. While it waits, that is as it should be. */
  async #isSilent(call: Call): Promise<void> {
    const now = await this.#lookup.retract(call, 'look')
    await this.#act(call, now, notStarted('it was lost before its worker could take it'))
  }

  /** @param refusal what it is told if it cannot start any more, and its worker has never seen it */
  async #act(call: Call, { found, sending }: Now, refusal: Refusal): Promise<void> {
    const isOthers = sending !== '' && sending !== call.sent.request.sending
    if (found === 'answered' && (await this.take(call))) return
    if (found === 'queued') call.heardAt = performance.now()
    else if (found !== 'finished' && isOthers) call.follows = true
    else if (found === 'claimed' && !call.hasStarted) {
      call.hasStarted = true
      call.heardAt = performance.now()
    } else {
      if (found === 'finished' && (await this.#takeFromJob(call))) return
      await this.#ask(call, found === 'claimed' || found === 'answered' ? undefined : refusal)
    }
  }

  /** @param isBack whether another process has its name, and can read its disk */
  async #workerIsGone(call: Call, isBack: boolean): Promise<void> {
    const { worker } = call.sent.request
    if (await this.take(call)) return
    if (isBack && performance.now() - call.askedAt < quietMs) return
    const { found } = await this.#lookup.retract(call, 'retract')
    if (found === 'answered' && (await this.take(call))) return
    const refusal = notStarted('its worker was gone before it could')
    if (found === 'retracted' && !call.hasStarted && !call.hasDoubts) refuse(call, refusal)
    else if (isBack) await this.#ask(call, found === 'other' ? undefined : refusal)
    else if (found === 'other') {
      refuse(call, noAnswer(`its worker (${worker}) is gone, and another sending of the call waited there`))
    } else refuse(call, workerLost(worker))
  }

  /**
   * The disk of the worker is the better witness.
   *
   * @param refusal what the call is told if it was never seen there; undefined: it may still start
   */
  async #ask(call: Call, refusal: Refusal | undefined): Promise<CallState['state'] | undefined> {
    const { request, queue } = call.sent
    call.askedAt = performance.now()
    const state = queue === execQueue ? await this.#witness(call) : undefined
    if (call.isAnswered || (await this.take(call))) return undefined
    switch (state?.state) {
      case 'result':
        call.finish({ kind: 'result', result: state.result ?? {}, replayed: true })
        break
      case 'running':
        call.hasStarted ||= refusal !== undefined
        call.heardAt = performance.now()
        break
      case 'never':
        call.heardAt = performance.now()
        if (refusal === undefined) break
        refuse(call, call.hasStarted ? noAnswer('its worker knows nothing of it any more') : refusal)
        break
      case 'unknown':
        refuse(call, workerLost(request.worker))
        break
      default:
        // It has other things to do, and is asked again, until the deadline.
        if (await this.#isAnother(call)) refuse(call, workerLost(request.worker))
        call.heardAt = performance.now()
    }
    return state?.state
  }

  /** Whether the process that a call was sent to has a successor. One that is merely not there the next looks find out. */
  async #isAnother({ sent: { request } }: Call): Promise<boolean> {
    const node = await this.#nodes.get(request.worker)
    return node !== undefined && node.incarnation !== request.incarnation
  }
}

/** Redis says these before it changes anything. */
const rejections = /^(OOM|READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|MISCONF|NOREPLICAS|NOAUTH|BUSY) /

const isRejection = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError' && rejections.test(error.message)

/** Whether it changes nothing. */
const asksOnly = ({ sent: { request } }: Call): boolean =>
  request.operation === 'attach' || request.operation === 'status' || request.operation === 'output'

export function refuse(call: Call, refusal: Refusal): void {
  call.finish({ kind: 'refused', refusal })
}
