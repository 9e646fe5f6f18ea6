// A fleet, as one process has it: its connections, its timers, and everything that its tools need.

import type { Redis } from 'ioredis'
import { randomHex } from '../../../base/util/lazy.js'
import type { SandboxMode } from '../../../guard/sandbox/policy.js'
import type { Answer, NodeInfo } from '../answer.js'
import { connect } from '../redis/connection.js'
import { answered } from './in-time.js'
import { blockMs, Inbox } from './inbox.js'
import { Nodes } from './nodes.js'
import type { CheckedFleetOptions } from './options.js'
import { Placement } from './placement.js'
import type { Asked } from './prepare.js'
import { Queues } from './queues.js'
import { Sender } from './sender.js'
import { tellFault } from './tell.js'
import { Tenants } from './tenants.js'

/** Milliseconds that commands get to end when their fleet is closed. */
const closeMs = 5000
/** And the goodbye to a Redis that may be away. */
const goodbyeMs = 2000

export class FleetClient {
  readonly placement: Placement
  readonly #redis: Redis
  readonly #inbox: Inbox
  readonly #nodes: Nodes
  readonly #queues: Queues
  readonly #tenants: Tenants
  readonly #sender: Sender
  readonly #options: CheckedFleetOptions
  readonly #timers: NodeJS.Timeout[]
  #sandbox: SandboxMode = 'unrestricted'
  #closing: Promise<void> | undefined
  #isBeating = false

  constructor(options: CheckedFleetOptions) {
    const client = randomHex(12)
    const { connection, timings, perTenant } = options
    this.#options = options
    // A connection that says nothing any more, and does not end either, is given up before its client counts as gone.
    const silentMs = Math.max(2 * timings.beatMs, timings.aliveMs / 2)
    this.#redis = connect(connection, { socketTimeout: silentMs })
    const reader = connect(connection, { socketTimeout: blockMs + silentMs })
    this.#inbox = new Inbox(client, this.#redis, reader, (message) => this.#sender.deliver(message))
    this.#nodes = new Nodes(this.#redis, timings.watchMs)
    this.#queues = new Queues(this.#redis)
    this.#tenants = new Tenants(this.#redis, perTenant, timings.aliveMs)
    this.placement = new Placement(this.#redis, this.#nodes, options.place, timings.aliveMs)
    this.#sender = new Sender({
      client,
      redis: this.#redis,
      nodes: this.#nodes,
      placement: this.placement,
      queues: this.#queues,
      tenants: this.#tenants,
      options,
    })
    let wasAway = false
    this.#redis.on('close', () => {
      wasAway = true
      this.#sender.redisWasAway()
    })
    this.#redis.on('ready', () => {
      if (wasAway) this.#sender.redisIsBack()
      void this.#beat()
    })
    this.#timers = [
      setInterval(() => void this.#beat(), timings.beatMs),
      setInterval(() => this.#sender.look(), timings.watchMs),
    ]
  }

  /** Resolves when calls can be sent. Rejects when Redis refuses its credentials; for one that is away it waits. */
  async open(): Promise<void> {
    await this.#inbox.beat(this.#options.timings.aliveMs)
    this.#inbox.start()
    const [node] = await this.workers()
    if (node !== undefined) this.#sandbox = node.sandbox
  }

  /** What the tools say of commands: the mode of a worker that was there when the fleet was opened. */
  get sandbox(): SandboxMode {
    return this.#sandbox
  }

  async send(asked: Asked): Promise<Answer> {
    return await this.#sender.send(asked)
  }

  async workers(): Promise<NodeInfo[]> {
    return await answered(this.#nodes.list())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#sender.close(closeMs)
    for (const timer of this.#timers) clearInterval(timer)
    const goodbye = async () => {
      await this.#inbox.close()
      await this.#queues.close()
    }
    const patience = new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref())
    await Promise.race([goodbye().catch(() => {}), patience])
    this.#redis.disconnect()
  }

  /** Never rejects: the next one may do. */
  async #beat(): Promise<void> {
    // What waits for Redis already is sent when it is back.
    if (this.#isBeating) return
    this.#isBeating = true
    try {
      await Promise.all([this.#inbox.beat(this.#options.timings.aliveMs), this.#tenants.renew()])
    } catch (error) {
      // Its calls are told by their deadlines.
      tellFault(undefined, error)
    } finally {
      this.#isBeating = false
    }
  }
}
