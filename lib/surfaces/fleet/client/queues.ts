// The queues of workers, as clients have them: one connection for all.

import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { keptJobs } from '../limits.js'
import { jobKey, type QueueName, workerPrefix } from '../names.js'
import type { SignedRequest } from '../request.js'

const maxEvents = 100

export class Queues {
  readonly #redis: Redis
  readonly #queues = new Map<string, Queue>()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  #get(worker: string, name: QueueName): Queue {
    const key = `${name} ${worker}`
    const known = this.#queues.get(key)
    if (known !== undefined) return known
    const queue = new Queue(name, {
      connection: this.#redis,
      prefix: workerPrefix(worker),
      streams: { events: { maxLen: maxEvents } },
    })
    queue.on('error', () => {})
    this.#queues.set(key, queue)
    return queue
  }

  /**
   * @returns whether the job of this id is that of another sending, which was there before; also when that is gone already, and
   * this one may not be in the queue
   */
  async add(
    worker: string,
    name: QueueName,
    { jobId, sending }: { jobId: string; sending: string },
    signed: SignedRequest,
  ): Promise<boolean> {
    const queue = this.#get(worker, name)
    // An equal id is dropped silently: whose job it is its name tells.
    await queue.add(sending, signed, {
      jobId,
      attempts: 1,
      removeOnComplete: keptJobs,
      removeOnFail: keptJobs,
    })
    const found = await this.#redis.hget(jobKey(worker, name, jobId), 'name')
    // A job about jobs has its sending's name for its id: no other drops it.
    return jobId !== sending && found !== sending
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()))
  }
}
