// A fleet worker: takes requests from its queues, and runs them with the tools of the package.

import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { randomHex } from '../../../base/util/lazy.js'
import type { Answer, NodeInfo } from '../answer.js'
import { publishFleet } from '../events.js'
import { keptJobs } from '../limits.js'
import { controlQueue, execQueue, type QueueName, workerPrefix } from '../names.js'
import { Answers } from './answers.js'
import { Background } from './background.js'
import { cleanUpState } from './clean-up.js'
import { Commands } from './commands.js'
import { Connections, drainDelay } from './connections.js'
import { Control } from './control.js'
import { checkSigned, type Gate } from './gate.js'
import { Holdings } from './holdings.js'
import { Budget, LiveOutput } from './live-output.js'
import { Notices } from './notices.js'
import type { FleetWorkerOptions } from './options.js'
import { recall } from './recall.js'
import { Registration } from './registration.js'
import { Removals } from './removals.js'
import { Rooms } from './rooms.js'
import { Running, RunningCalls } from './running.js'
import { Sessions } from './sessions.js'
import { prepareDirectory, WorkerState } from './state.js'
import { TakenRequests } from './taken.js'
import { tellRefused } from './tell-refused.js'
import { Tombstones } from './tombstones.js'

declare const BASHWARD_VERSION: string | undefined

const controlConcurrency = 256
const cleanUpMs = 3_600_000
/** Milliseconds that the end of the program waits for Redis. */
const goodbyeMs = 5000
/** A command is given up so long after it was to end. */
const killMs = 15_000

/** What another process has. */
export type Taken = 'name' | 'state'

/** How a worker has ended. */
export type WorkerEnd = 'drained' | 'fenced'

export class FleetWorker {
  readonly incarnation = randomHex(12)
  readonly #options: FleetWorkerOptions
  readonly #state: WorkerState
  readonly #redis: Redis
  readonly #connections: Connections
  readonly #gate: Gate
  readonly #calls: RunningCalls
  readonly #notices: Notices
  readonly #answers: Answers
  readonly #commands: Commands
  readonly #control: Control
  readonly #removals: Removals
  readonly #rooms: Rooms
  readonly #background: Background
  readonly #taken = new TakenRequests()
  readonly #budget: Budget
  readonly #registration: Registration
  readonly #startedAt = Date.now()
  #workers: Worker[] = []
  #isDraining = false
  #beatAt = performance.now()
  #end: ((end: WorkerEnd) => void) | undefined
  /** Resolves when it has ended. */
  readonly ended: Promise<WorkerEnd>

  private constructor(options: FleetWorkerOptions, state: WorkerState) {
    this.#options = options
    this.#state = state
    const { id, acceptedKeys: keys, timings, liveBytesPerSecond } = options
    const background = new Background(id, options.warn)
    this.#background = background
    this.#connections = new Connections(options, background.failedIn('the connection to Redis'))
    this.#redis = this.#connections.redis
    const tombstones = new Tombstones(state.place('released'))
    const holdings = new Holdings(state.place('held'), tombstones)
    this.#gate = { worker: id, incarnation: this.incarnation, keys, redis: this.#redis, tombstones, holdings }
    this.#notices = new Notices(this.#connections.live, background.failedIn('a message to a client'))
    this.#calls = new RunningCalls(id, this.#redis, this.#notices, timings, background)
    this.#answers = new Answers(id, this.#redis, this.#notices)
    this.#budget = new Budget(liveBytesPerSecond)
    const sessions = new Sessions(state.place('sessions'), options.sessionKey)
    const places = {
      workspaces: options.workspaces,
      outputs: state.place('output'),
      jobs: state.place('jobs'),
      sessions,
    }
    this.#removals = new Removals(places, holdings)
    this.#rooms = new Rooms({ options, state, sessions, holdings, removals: this.#removals })
    const parts = {
      options,
      gate: this.#gate,
      redis: this.#redis,
      rooms: this.#rooms,
      calls: this.#calls,
      notices: this.#notices,
    }
    this.#commands = new Commands(parts)
    this.#control = new Control(parts)
    this.#registration = new Registration(
      this.#redis,
      timings,
      () => this.#describe(),
      () => recall(this.#redis, id, state.name, holdings),
      background.failedIn('the heartbeat'),
    )
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  /**
   * Resolves when it takes requests, or with what another process has of it.
   *
   * @throws {BashError} ERR_CALL_DIRECTORY; ERR_UNSUPPORTED_PLATFORM
   */
  static async start(options: FleetWorkerOptions): Promise<FleetWorker | Taken> {
    prepareDirectory(options.workspaces)
    const state = await WorkerState.open(options.state)
    if (state === undefined) return 'state'
    const worker = new FleetWorker(options, state)
    if (await worker.#begin()) return worker
    worker.#disconnect()
    return 'name'
  }

  async #begin(): Promise<boolean> {
    const { timings, concurrency, id } = this.#options
    if (!(await this.#registration.take())) return false
    await this.#calls.listen(this.#connections.subscriber)
    const beat = () => this.#heartbeat()
    const cleanUp = () => this.#cleanUp()
    this.#background.every('the heartbeat', timings.heartbeatMs, beat)
    this.#background.every('the look at calls', timings.lookMs, () => this.#look())
    this.#background.every('the clean-up', cleanUpMs, cleanUp)
    this.#background.run('the clean-up', cleanUp)
    // Clients wait only for so long until a Redis that has forgotten everything is told.
    this.#redis.on('ready', () => this.#background.run('the heartbeat', beat))
    this.#workers = [this.#serve(controlQueue, controlConcurrency), this.#serve(execQueue, concurrency)]
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()))
    publishFleet({ type: 'registered', worker: id })
    return true
  }

  #serve(queue: QueueName, concurrency: number): Worker {
    const { id, timings } = this.#options
    const worker = new Worker(queue, async (job) => await this.#take(queue, job), {
      connection: this.#redis,
      prefix: workerPrefix(id),
      concurrency,
      // A job that was lost is not taken again: its client finds that out.
      maxStalledCount: 0,
      lockDuration: timings.lockMs,
      stalledInterval: timings.lockMs,
      drainDelay,
      removeOnComplete: keptJobs,
      removeOnFail: keptJobs,
    })
    worker.on('error', this.#background.failedIn(`the queue ${queue}`))
    worker.on('failed', (_job, error) => this.#background.failed('a request', error))
    return worker
  }

  /** @returns what the job keeps as its own */
  async #take(queue: QueueName, job: Job): Promise<string | null> {
    const jobId = job.id ?? ''
    const { request, refusal } = checkSigned(this.#gate, queue, jobId, job.data)
    if (request === undefined) {
      tellRefused(this.#options.id, refusal)
      return JSON.stringify({ kind: 'refused', refusal } satisfies Answer)
    }
    const running = new Running(request, { jobId, queue }, new LiveOutput(this.#notices, this.#budget))
    // What comes to no result is not kept: the same call can be sent again.
    const kept = job.opts.removeOnComplete
    job.opts.removeOnComplete = true
    if (refusal !== undefined) {
      tellRefused(this.#options.id, refusal, running)
      await this.#answers.give(running, { kind: 'refused', refusal })
      return null
    }
    if (queue === controlQueue ? !this.#taken.add(request) : this.#taken.has(request)) return null
    const first = this.#calls.first(running)
    if (first === undefined) this.#calls.add(running)
    // It came while the others were told.
    if (this.#isDraining && queue === execQueue) running.end('draining')
    // Now there: a cancel that came before is found, and one that comes after finds it.
    const answer = await (first?.ended ?? (queue === execQueue ? this.#commands : this.#control).run(running))
    if (answer.kind === 'refused') {
      tellRefused(this.#options.id, answer.refusal, running)
      this.#taken.add(request)
    }
    running.finish(answer)
    try {
      if ((await this.#answers.give(running, answer)) && kept !== undefined) {
        job.opts.removeOnComplete = kept
      }
      return null
    } finally {
      this.#calls.remove(running)
    }
  }

  async #heartbeat(): Promise<void> {
    const gap = performance.now() - this.#beatAt
    this.#beatAt = performance.now()
    // It was stopped meanwhile, and others may have its conversations.
    const { ttlMs } = this.#options.timings
    if (gap > ttlMs) this.#background.run('the look at calls', () => this.#calls.lookForOwner())
    this.#background.run('the connection to Redis', () => this.#connections.probe())
    const isOwn = await this.#registration.beat()
    if (isOwn === false) return await this.#lose()
    if (isOwn !== true) return
    await Promise.all([this.#calls.lookForCancels(), this.#registration.recallInDoubt()])
  }

  async #cleanUp(): Promise<void> {
    const failed = this.#background.failedIn('the clean-up')
    await this.#removals.finishAll(failed)
    await cleanUpState(this.#options.state, (name) => this.#rooms.isUsed(name), failed)
  }

  async #look(): Promise<void> {
    if (this.#redis.status !== 'ready') return
    await Promise.all([this.#calls.tell(), this.#calls.lookForOwner(), this.#calls.lookForClients()])
  }

  /** Another process has the name: what runs here is nobody's any more. */
  async #lose(): Promise<void> {
    this.#calls.endAll('fenced')
    await this.#stop()
    this.#end?.('fenced')
  }

  /** Takes no more calls, waits for those that run, and ends them after the grace period. */
  async drain(): Promise<void> {
    if (this.#isDraining) return
    this.#isDraining = true
    const { id, graceMs } = this.#options
    publishFleet({ type: 'draining', worker: id })
    // Clients see it now, or with the next heartbeat: a Redis that is away holds up nothing.
    this.#background.run('the heartbeat', () => this.#registration.beat())
    this.#calls.endAll('draining', ({ isClaimed, queue }) => !isClaimed && queue === execQueue)
    const grace = setTimeout(() => this.#calls.endAll('draining'), graceMs)
    let giveUp: NodeJS.Timeout | undefined
    // What cannot be killed, or be told to a Redis that is away, holds up nothing.
    const isIdle = this.#calls.isEmpty && this.#redis.status !== 'ready'
    const longest = new Promise((resolve) => {
      giveUp = setTimeout(resolve, isIdle ? 0 : graceMs + killMs + goodbyeMs)
    })
    await Promise.race([this.#workers[1]?.close(), longest])
    clearTimeout(grace)
    clearTimeout(giveUp)
    await this.#stop()
    publishFleet({ type: 'drained', worker: id })
    this.#end?.('drained')
  }

  async #stop(): Promise<void> {
    const goodbye = async () => {
      await Promise.all(this.#workers.map((worker) => worker.close()))
      await this.#notices.settled()
      await this.#registration.resign()
    }
    // Redis may be away.
    const failed = this.#background.failedIn('the goodbye to Redis')
    await Promise.race([goodbye().catch(failed), new Promise((resolve) => setTimeout(resolve, goodbyeMs))])
    this.#disconnect()
  }

  #disconnect(): void {
    this.#background.stop()
    this.#connections.disconnect()
    this.#state.close()
  }

  #describe(): NodeInfo {
    const { id, concurrency: capacity, sandbox } = this.#options
    return {
      version: 1,
      id,
      incarnation: this.incarnation,
      state: this.#state.name,
      pid: process.pid,
      startedAt: this.#startedAt,
      running: this.#calls.size,
      capacity,
      draining: this.#isDraining,
      sandbox,
      bashward: typeof BASHWARD_VERSION === 'string' ? BASHWARD_VERSION : '',
    }
  }
}
