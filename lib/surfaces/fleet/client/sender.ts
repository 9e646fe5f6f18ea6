// Sends requests to workers, and gives their answers.

import { messageOf } from '../../../base/errors.js'
import { randomHex } from '../../../base/util/lazy.js'
import { onAbort } from '../../../base/util/listeners.js'
import type { Answer, CallState } from '../answer.js'
import {
  cancelled,
  closed,
  late,
  noAnswer,
  notStarted,
  ofRequest,
  type Refusal,
  tooLarge,
} from '../failures.js'
import { controlQueueMs, maxRequestBytes } from '../limits.js'
import { controlQueue } from '../names.js'
import { keyName, sign } from '../signing.js'
import { Call } from './call.js'
import { inTime } from './in-time.js'
import type { Message } from './inbox.js'
import { type Asked, otherDisk, prepareCall, queueMsOf, queueOf, type SenderParts } from './prepare.js'
import { tellAnswered, tellFault, tellQueued } from './tell.js'
import { refuse, Watch } from './watch.js'

export class Sender {
  readonly #parts: SenderParts
  readonly #keyName: string
  readonly #watch: Watch
  /** By their sending. */
  readonly #calls = new Map<string, Call>()
  readonly #closing = new AbortController()

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#keyName = keyName(parts.options.signingKey)
    const { redis, nodes, options } = parts
    const witness = async (call: Call) => await this.#askAbout(call)
    this.#watch = new Watch(redis, nodes, witness, options.timings)
  }

  /** Never rejects: what went wrong is a refusal. */
  async send(asked: Asked): Promise<Answer> {
    const startBy = performance.now() + queueMsOf(asked, this.#parts.options)
    let answer = await this.#try(asked, startBy)
    if (answer.kind === 'refused' && answer.refusal.code === 'ERR_FENCED') {
      // Nothing of it has run, and what was known of its conversation was out of date.
      this.#parts.placement.doubt(asked.tenant, asked.conversationId, answer.refusal.moved === true)
      answer = await this.#try(asked, startBy)
    }
    // Another client may have given it up, and then it is elsewhere: the next call asks.
    if (answer.kind === 'refused' && answer.refusal.code === 'ERR_NO_WORKER')
      this.#parts.placement.doubt(asked.tenant, asked.conversationId, false)
    if (answer.kind === 'refused' && queueOf(asked) === controlQueue)
      return refused(ofRequest(answer.refusal))
    return answer
  }

  async #try(asked: Asked, startBy: number): Promise<Answer> {
    if (this.#closing.signal.aborted) return refused(closed)
    if (asked.cancel?.aborted === true) return refused(cancelled)
    const sending = randomHex(16)
    const { tenants } = this.#parts
    const startedAt = performance.now()
    if (startedAt >= startBy) return refused(late(queueMsOf(asked, this.#parts.options)))
    const { settledAt } = this.#watch
    const preparing = prepareCall(this.#parts, asked, sending, { startBy, settledAt })
    try {
      const call = await inTime(preparing, startBy - startedAt, asked.cancel, this.#closing.signal)
      const answer = call instanceof Call ? await this.#await(call, asked) : refused(call)
      const {
        sent: {
          request: { worker },
        },
        dropped,
      } = call instanceof Call ? call : nowhere
      tellAnswered(asked, answer, { worker, durationMs: performance.now() - startedAt, dropped })
      return answer
    } catch (error) {
      const { code } = error as { code?: unknown }
      const known = typeof code === 'string' && code.startsWith('ERR_')
      return refused(known ? { code, message: messageOf(error) } : notStarted(messageOf(error)))
    } finally {
      const leave = () => tenants.leave(asked.tenant, sending)
      if (asked.operation === 'run') preparing.then(leave, leave)
    }
  }

  async #await(call: Call, asked: Asked): Promise<Answer> {
    const { queues, options } = this.#parts
    const { request, queue, jobId } = call.sent
    const signed = sign(JSON.stringify(request), options.signingKey, this.#keyName)
    const size = Buffer.byteLength(signed.body)
    if (size > maxRequestBytes) return refused(tooLarge('the request', size, maxRequestBytes))
    // It was closed in the same moment.
    if (this.#closing.signal.aborted) return refused(closed)
    this.#calls.set(request.sending, call)
    const stop = onAbort(asked.cancel, () => {
      call.cancelAsked = true
      // Where Redis is away, that waits until it is back.
      this.#watch.cancel(call).catch((error: unknown) => tellFault(request, error))
    })
    try {
      tellQueued(request)
      call.enqueue = async () => {
        const names = { jobId, sending: request.sending }
        try {
          call.follows = await queues.add(request.worker, queue, names, signed)
        } catch (error) {
          return await this.#watch.addFailed(call, error)
        }
        // What is there already may be done.
        if (call.follows) await this.#watch.look(call)
      }
      void call.enqueue()
      return await call.answer
    } finally {
      stop()
      this.#calls.delete(request.sending)
    }
  }

  /**
   * What the disk of a worker knows of a call; of one whose process is gone, the next one of its name is asked, if it has the
   * same disk. The answer is that of the process that said which one it has: no other takes the question.
   */
  async #askAbout({ sent: { request, disk } }: Call): Promise<CallState | undefined> {
    const { tenant, conversationId, toolCallId, tool } = request
    this.#parts.nodes.forget(request.worker)
    const status: Asked = {
      operation: 'status',
      tool,
      input: null,
      tenant,
      conversationId,
      toolCallId,
      session: false,
      detached: false,
      limitMs: controlQueueMs,
      disk,
    }
    const answer = await this.#try(status, performance.now() + controlQueueMs)
    if (answer.kind === 'refused' && answer.refusal === otherDisk) return { state: 'unknown' }
    return answer.kind === 'value' ? (answer.value as CallState) : undefined
  }

  /** What has come for a call. */
  deliver(message: Message): void {
    const { c: sending = '', k: reply, t: type } = message
    const call = this.#calls.get(sending)
    // Any worker can write to any inbox.
    if (call === undefined || reply !== call.sent.request.reply) return
    if (type === 's') call.started(message.b === '1', message.y)
    if (type === 'o') call.printed(Number(message.p), message.x ?? '')
    if (type === 'r') {
      this.#watch.take(call).catch((error: unknown) => tellFault(call.sent.request, error))
    }
  }

  /** Looks at all calls that have no answer. */
  look(): void {
    for (const call of this.#calls.values()) void this.#watch.look(call)
  }

  redisWasAway(): void {
    for (const call of this.#calls.values()) call.hasDoubts = true
  }

  redisIsBack(): void {
    this.#watch.redisIsBack()
  }

  /** Calls that go on without their client are left alone, all others are cancelled, and no more are sent. */
  async close(patienceMs: number): Promise<void> {
    this.#closing.abort()
    const calls = [...this.#calls.values()]
    const ended = calls.map(async (call) => {
      if (!call.sent.request.detached) await this.#watch.cancel(call).catch(() => {})
      else refuse(call, noAnswer('the fleet was closed while the command ran, and it goes on'))
      await call.answer
    })
    const patience = new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
    await Promise.race([Promise.all(ended), patience])
    for (const call of calls) refuse(call, noAnswer('the fleet was closed'))
  }
}

/** Of an answer to what was not sent. */
const nowhere = { sent: { request: { worker: undefined } }, dropped: 0 }

const refused = (refusal: Refusal): Answer => ({ kind: 'refused', refusal })
