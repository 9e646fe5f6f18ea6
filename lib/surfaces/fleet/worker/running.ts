// The requests that a worker has taken, and their ends from outside: a cancel, a client that is gone, a conversation that
// belongs to another worker, a worker that is to end.

import type { Redis } from 'ioredis'
import type { Answer } from '../answer.js'
import { publishFleet } from '../events.js'
import { claimTtlMs, type WorkerTimings } from '../limits.js'
import {
  aliveKey,
  bindingKey,
  cancelChannel,
  cancelKey,
  claimKey,
  conversationName,
  execQueue,
  type QueueName,
} from '../names.js'
import type { FleetRequest } from '../request.js'
import type { Background } from './background.js'
import { nameOf } from './gate.js'
import type { LiveOutput } from './live-output.js'
import type { Listener, Notices } from './notices.js'

/** Why a request that was taken ends early. */
export type EndReason = 'cancelled' | 'orphaned' | 'fenced' | 'draining'

export class Running {
  readonly request: FleetRequest
  readonly jobId: string
  readonly queue: QueueName
  /** The names of its call, and of its conversation. */
  readonly call: string
  readonly conversation: string
  readonly output: LiveOutput
  readonly #abort = new AbortController()
  /** Whether it has been claimed: from then on it counts as started. */
  isClaimed = false
  endReason: EndReason | undefined
  /** What it has come to. */
  readonly ended: Promise<Answer>
  #finish: ((answer: Answer) => void) | undefined

  constructor(
    request: FleetRequest,
    { jobId, queue }: { jobId: string; queue: QueueName },
    output: LiveOutput,
  ) {
    this.request = request
    this.jobId = jobId
    this.queue = queue
    this.call = nameOf(request)
    this.conversation = conversationName(request.tenant, request.conversationId)
    this.output = output
    this.ended = new Promise((resolve) => {
      this.#finish = resolve
    })
    if (request.live) output.follow(this.listener)
  }

  finish(answer: Answer): void {
    this.#finish?.(answer)
  }

  get listener(): Listener {
    return this.request
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  end(reason: EndReason): void {
    this.endReason ??= reason
    this.#abort.abort()
  }
}

/** Looks in a row that must have found a client gone. */
const missedLooks = 2

export class RunningCalls {
  readonly #worker: string
  readonly #redis: Redis
  readonly #notices: Notices
  readonly #timings: WorkerTimings
  readonly #background: Background
  readonly #running = new Set<Running>()
  readonly #missed = new Map<string, number>()
  /** When Redis was there again: clients need a moment to be seen. */
  #backAt = performance.now()

  constructor(
    worker: string,
    redis: Redis,
    notices: Notices,
    timings: WorkerTimings,
    background: Background,
  ) {
    this.#worker = worker
    this.#redis = redis
    this.#notices = notices
    this.#timings = timings
    this.#background = background
    redis.on('ready', () => {
      this.#backAt = performance.now()
    })
  }

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Commands that run. */
  get size(): number {
    return [...this.#running].filter(({ isClaimed, queue }) => isClaimed && queue === execQueue).length
  }

  /** Commands of a conversation that wait or run. */
  ofConversation(conversation: string): number {
    return this.#ofConversation(conversation).filter(({ queue }) => queue === execQueue).length
  }

  find(call: string): Running | undefined {
    return [...this.#running].find((running) => running.call === call && running.queue === execQueue)
  }

  /** The same sending, which was taken before: a Redis that has forgotten its job was sent it again. */
  first({ jobId, request: { sending } }: Running): Running | undefined {
    return [...this.#running].find((other) => other.jobId === jobId && other.request.sending === sending)
  }

  add(running: Running): void {
    this.#running.add(running)
  }

  remove(running: Running): void {
    this.#running.delete(running)
  }

  endAll(reason: EndReason, which: (running: Running) => boolean = () => true): void {
    for (const running of this.#running) if (which(running)) running.end(reason)
  }

  endConversation(conversation: string, reason: EndReason): void {
    for (const running of this.#ofConversation(conversation)) running.end(reason)
  }

  /** Listens for cancels. @param subscriber a connection that nobody else uses */
  async listen(subscriber: Redis): Promise<void> {
    subscriber.on('smessage', (_channel: string, jobId: string) => {
      for (const running of this.#running) {
        if (running.jobId === jobId) this.#background.run('cancel', () => this.#lookForCancel(running))
      }
    })
    await subscriber.ssubscribe(cancelChannel(this.#worker))
  }

  /** With each heartbeat: messages get lost. */
  async lookForCancels(): Promise<void> {
    await Promise.all([...this.#running].map((running) => this.#lookForCancel(running)))
  }

  async #lookForCancel(running: Running): Promise<void> {
    const cancelled = await this.#redis.get(cancelKey(this.#worker, running.jobId))
    if (cancelled === running.request.sending) running.end('cancelled')
  }

  /** Signs of life for those that wait for long, and claims that last. */
  async tell(): Promise<void> {
    const claimed = [...this.#running].filter(({ isClaimed }) => isClaimed)
    for (const running of claimed) this.#notices.runs(running.listener, false)
    // Set, and not only prolonged: Redis may have forgotten them.
    const claims = claimed.map(({ jobId, request }) =>
      this.#redis.set(claimKey(this.#worker, jobId), request.sending, 'PX', claimTtlMs),
    )
    await Promise.all(claims)
  }

  /** Ends what belongs to a conversation that is another worker's by now. A Redis that has forgotten it says nothing. */
  async lookForOwner(): Promise<void> {
    await Promise.all(
      [...this.#running].map(async (running) => {
        const epoch = await this.#redis.hget(bindingKey(running.conversation), 'epoch')
        if (epoch === null || epoch === running.request.epoch) return
        if (running.endReason === undefined) this.#tellEnd('fenced', running)
        running.end('fenced')
      }),
    )
  }

  /** Ends the calls of clients that are gone, but for those that go on without them. */
  async lookForClients(): Promise<void> {
    const { ttlMs, lookMs } = this.#timings
    if (performance.now() - this.#backAt < ttlMs + lookMs) return
    const waited = [...this.#running].filter(({ request }) => !request.detached)
    const clients = new Set(waited.map(({ request }) => request.client))
    for (const client of this.#missed.keys()) if (!clients.has(client)) this.#missed.delete(client)
    await Promise.all(
      [...clients].map(async (client) => {
        const isAlive = (await this.#redis.exists(aliveKey(client))) === 1
        const missed = isAlive ? 0 : (this.#missed.get(client) ?? 0) + 1
        this.#missed.set(client, missed)
        if (missed < missedLooks) return
        for (const running of waited.filter(({ request }) => request.client === client)) {
          if (running.endReason === undefined) this.#tellEnd('orphaned', running)
          running.end('orphaned')
        }
      }),
    )
  }

  #ofConversation(conversation: string): Running[] {
    return [...this.#running].filter((running) => running.conversation === conversation)
  }

  #tellEnd(type: 'fenced' | 'orphaned', { request }: Running): void {
    const { conversationId, toolCallId, tool } = request
    publishFleet({ type, worker: this.#worker, conversationId, toolCallId, tool })
  }
}
