// Requests that no client of the package sends, signed or not, by somebody who can write to Redis.
import { type KeyObject, randomBytes } from 'node:crypto'
import { Queue } from 'bullmq'
import { callName } from '../../../lib/commands/calls/identity.js'
import { jobIdOf } from '../../../lib/surfaces/fleet/job-id.js'
import type { FleetRequest, SignedRequest } from '../../../lib/surfaces/fleet/request.js'
import { sign } from '../../../lib/surfaces/fleet/signing.js'
import { waitFor } from '../../support/wait-for.js'
import { context, type TestFleet } from './test-fleet.js'

/** Somebody with a connection to Redis, and perhaps a key. */
export class Sender {
  readonly fleet: TestFleet
  readonly request: FleetRequest

  private constructor(fleet: TestFleet, request: FleetRequest) {
    this.fleet = fleet
    this.request = request
  }

  /** Has the conversation bound, and knows what a client knows. */
  static async of(fleet: TestFleet): Promise<Sender> {
    await (await fleet.client()).tool().execute({ command: 'true' }, context('c1'))
    const redis = fleet.redis.client
    const [binding = ''] = await redis.keys('bw:conv:*')
    const epoch = (await redis.hget(binding, 'epoch')) ?? ''
    const { incarnation } = JSON.parse((await redis.get('{bw:w1}:node')) ?? '{}')
    const token = 'a'.repeat(32)
    return new Sender(fleet, {
      version: 1,
      operation: 'run',
      worker: 'w1',
      incarnation,
      epoch,
      notAfter: Date.now() + 60_000,
      client: token,
      reply: token,
      sending: token,
      conversationId: 'c1',
      toolCallId: 'forged',
      tool: 'bash',
      input: { command: fleet.noting('forged') },
      session: false,
      live: false,
      detached: true,
    })
  }

  signed(changes: Partial<FleetRequest> = {}, key: KeyObject = this.fleet.keys.privateKey): SignedRequest {
    return sign(JSON.stringify({ ...this.request, ...changes }), key)
  }

  idOf(changes: Partial<FleetRequest> = {}): string {
    const request = { ...this.request, ...changes }
    const { conversationId, toolCallId: callId, tenant } = request
    return jobIdOf(request, callName(tenant, { callId, conversationId }))
  }

  get #call(): string {
    const { conversationId, toolCallId: callId, tenant } = this.request
    return callName(tenant, { callId, conversationId })
  }

  /** Puts a request into the queue for control, and waits until its worker is done with it. */
  async control(changes: Partial<FleetRequest>, before = async (_sending: string) => {}): Promise<string> {
    const sending = changes.sending ?? randomBytes(16).toString('hex')
    const signed = this.signed({ ...changes, sending })
    await before(sending)
    return await this.#enqueued('ctl', sending, signed, sending, async () => {
      const redis = this.fleet.redis.client
      const isDone = (await redis.exists(`{bw:w1}:ctl:${sending}`)) === 0
      const text = await redis.get(`{bw:w1}:ans:${sending}`)
      if ((await redis.hget(`{bw:w1}:res:${this.#call}`, 'job')) === sending) return 'ran'
      if (text === null) return isDone ? 'not answered' : undefined
      return (JSON.parse(text).refusal?.code as string | undefined) ?? 'ran'
    })
  }

  /** @returns the code of the refusal, or `ran` */
  async send(data: unknown, jobId = this.idOf(), queueName: 'exec' | 'ctl' = 'exec') {
    const redis = this.fleet.redis.client
    const { sending } = this.request
    return await this.#enqueued(queueName, sending, data, jobId, async (queue) => {
      if ((await redis.exists(`{bw:w1}:res:${this.#call}`)) === 1) return 'ran'
      const found = await queue.getJob(jobId)
      // One that nobody has signed has nobody to be answered.
      const text = (await redis.get(`{bw:w1}:ans:${sending}`)) ?? found?.returnvalue
      return typeof text === 'string' ? (JSON.parse(text).refusal.code as string) : undefined
    })
  }

  async #enqueued(
    queueName: 'exec' | 'ctl',
    name: string,
    data: unknown,
    jobId: string,
    answer: (queue: Queue) => Promise<string | undefined>,
  ): Promise<string> {
    const { port, password } = this.fleet.redis
    const connection = { host: '127.0.0.1', port, password, maxRetriesPerRequest: null }
    const queue = new Queue(queueName, { connection, prefix: '{bw:w1}' })
    await queue.add(name, data as never, { jobId })
    try {
      return await waitFor(async () => await answer(queue), { what: 'an answer', deadlineMs: 20_000 })
    } finally {
      await queue.close()
    }
  }
}
