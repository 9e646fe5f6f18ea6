// Sends requests to workers, and gives their answers.

import type { Redis } from 'ioredis'
import { callName } from '../../calls/identity.js'
import { messageOf } from '../../errors.js'
import { randomHex } from '../../util/lazy.js'
import { onAbort } from '../../util/listeners.js'
import type { Answer, CallState } from '../answer.js'
import {
  busy,
  cancelled,
  closed,
  late,
  noAnswer,
  notStarted,
  noWorker,
  type Refusal,
  tooLarge,
} from '../failures.js'
import { jobIdOf } from '../job-id.js'
import { answerSlackMs, controlQueueMs, maxInputBytes, maxRequestBytes, workerQueue } from '../limits.js'
import { controlQueue, execQueue, type QueueName, waitKey } from '../names.js'
import type { FleetRequest, Operation, ToolName } from '../request.js'
import { keyName, sign } from '../signing.js'
import { Call, type Following } from './call.js'
import { inTime } from './in-time.js'
import type { Message } from './inbox.js'
import type { Nodes } from './nodes.js'
import type { CheckedFleetOptions } from './options.js'
import type { Placement } from './placement.js'
import type { Queues } from './queues.js'
import { tellAnswered, tellQueued } from './tell.js'
import type { Tenants } from './tenants.js'
import { refuse, Watch } from './watch.js'

/** What is asked of a worker. */
export interface Asked
  extends Following,
    Pick<
      FleetRequest,
      | 'tenant'
      | 'conversationId'
      | 'toolCallId'
      | 'workspaceDir'
      | 'sandbox'
      | 'session'
      | 'detached'
      | 'traceparent'
    > {
  operation: Operation
  tool: ToolName
  input: unknown
  /** Milliseconds that it may take once it has begun. */
  limitMs: number
  cancel?: AbortSignal | undefined
  /** Of the state directory that its worker must have; undefined: whichever. */
  disk?: string | undefined
}

export interface SenderParts {
  client: string
  redis: Redis
  nodes: Nodes
  placement: Placement
  queues: Queues
  tenants: Tenants
  options: CheckedFleetOptions
}

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
    const startBy = performance.now() + this.#queueMs(asked)
    let answer = await this.#try(asked, startBy)
    if (answer.kind === 'refused' && answer.refusal.code === 'ERR_FENCED') {
      // Nothing of it has run, and what was known of its conversation was out of date.
      this.#parts.placement.doubt(asked.tenant, asked.conversationId, answer.refusal.moved === true)
      answer = await this.#try(asked, startBy)
    }
    return answer
  }

  /** How long it may wait: for Redis, for its worker, and for others of its conversation, all together. */
  #queueMs(asked: Asked): number {
    return queueOf(asked) === execQueue ? this.#parts.options.queueMs : controlQueueMs
  }

  async #try(asked: Asked, startBy: number): Promise<Answer> {
    if (this.#closing.signal.aborted) return refused(closed)
    if (asked.cancel?.aborted === true) return refused(cancelled)
    const sending = randomHex(16)
    const { tenants } = this.#parts
    const startedAt = performance.now()
    if (startedAt >= startBy) return refused(late(this.#queueMs(asked)))
    const preparing = this.#prepare(asked, sending, startBy)
    try {
      const call = await inTime(preparing, startBy - startedAt, asked.cancel, this.#closing.signal)
      const answer = call instanceof Call ? await this.#await(call, asked) : call
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

  /** Everything before the queue. What fails here has not been sent. */
  async #prepare(asked: Asked, sending: string, startBy: number): Promise<Call | Answer> {
    const { client, redis, nodes, placement, tenants, options } = this.#parts
    const { tenant, conversationId, limitMs, cancel: _, onStart, onOutput, ...fields } = asked
    const input = Buffer.byteLength(JSON.stringify(asked.input ?? null))
    if (input > maxInputBytes) return refused(tooLarge('the command', input, maxInputBytes))
    const binding = await placement.bind(tenant, conversationId)
    const { worker, epoch } = binding
    const queue = queueOf(asked)
    const [node, depth] = await Promise.all([
      nodes.await(worker, this.#watch.settledAt),
      redis.llen(waitKey(worker, queue)),
    ])
    if (node === undefined)
      return refused(noWorker(`worker ${worker}, which has this conversation, is not there`))
    if (asked.disk !== undefined && node.state !== asked.disk) return refused(otherDisk)
    // What asks about its calls, or ends them, it still takes.
    if (node.draining && queue === execQueue)
      return refused(noWorker(`worker ${worker}, which has this conversation, takes no more calls`))
    if (depth >= workerQueue) return refused(busy(`${depth} calls wait for worker ${worker} already`))
    // What asks about a call that is admitted already needs no place of its own.
    const now = asked.operation === 'run' ? await tenants.admit(tenant, sending) : await timeOf(redis)
    if (now === undefined) return refused(busy(`its tenant has ${options.perTenant} calls already`))
    // Measured afterwards: a worker must not have longer than this client.
    const left = startBy - performance.now()
    const { toolCallId, workspaceDir, sandbox, session, detached, traceparent, operation, tool } = fields
    const request: FleetRequest = {
      version: 1,
      operation,
      worker,
      incarnation: node.incarnation,
      epoch,
      notAfter: now + Math.max(Math.floor(left), 0),
      client,
      reply: randomHex(16),
      sending,
      tenant,
      conversationId,
      toolCallId,
      tool,
      input: asked.input,
      workspaceDir,
      sandbox,
      session,
      live: onOutput !== undefined,
      detached,
      traceparent,
    }
    const call = callName(tenant, { callId: toolCallId, conversationId })
    const sent = {
      request,
      queue,
      disk: node.state,
      jobId: queue === execQueue ? jobIdOf(request, call) : sending,
      call,
      startBy,
      answerBy: startBy + limitMs + answerSlackMs,
      queueMs: this.#queueMs(asked),
      admittedAt: now,
      onStart,
      onOutput,
    }
    return new Call(sent)
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
      this.#watch.cancel(call).catch(() => {})
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
    if (type === 'r') this.#watch.take(call).catch(() => {})
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

const queueOf = ({ operation, tool }: Pick<Asked, 'operation' | 'tool'>): QueueName =>
  operation === 'run' && (tool === 'bash' || tool === 'Bash') ? execQueue : controlQueue

/** Of an answer to what was not sent. */
const nowhere = { sent: { request: { worker: undefined } }, dropped: 0 }

async function timeOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}

/** Another machine has taken the name, or the disk was replaced. */
const otherDisk = noWorker('its worker has another disk than before')

const refused = (refusal: Refusal): Answer => ({ kind: 'refused', refusal })
