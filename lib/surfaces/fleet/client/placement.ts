// Which worker has a conversation. It is bound once, since its directory is there, and nothing moves it.

import type { Redis } from 'ioredis'
import { crypto, randomHex } from '../../../base/util/lazy.js'
import { asError, noWorker } from '../failures.js'
import { abandonedTtlMs } from '../limits.js'
import { bindingKey, checkWorkerName, conversationName } from '../names.js'
import { bindScript, runScript, settleScript, unbindScript } from '../redis/scripts.js'
import type { Nodes } from './nodes.js'
import type { FleetOptions } from './options.js'
import { onceRecalled } from './since.js'

export interface Binding {
  worker: string
  epoch: string
  /** The state directory that its worker had when its first call was sent; empty: none was. */
  disk: string
}

/** Of the most recent conversations: the others are asked for again. */
const most = 100_000

export class Placement {
  readonly #redis: Redis
  readonly #nodes: Nodes
  readonly #place: FleetOptions['place']
  readonly #graceMs: number
  readonly #known = new Map<string, Binding>()

  /** @param graceMs workers may take so long to tell a Redis that has forgotten it what they have */
  constructor(redis: Redis, nodes: Nodes, place: FleetOptions['place'], graceMs: number) {
    this.#redis = redis
    this.#graceMs = graceMs
    this.#nodes = nodes
    this.#place = place
  }

  /**
   * The worker of a conversation; one is chosen if it has none.
   *
   * @throws {BashError} ERR_NO_WORKER when none is there; ERR_INVALID_INPUT when `place` names none
   */
  async bind(tenant: string | undefined, conversationId: string): Promise<Binding> {
    const name = conversationName(tenant, conversationId)
    const known = this.#known.get(name)
    if (known !== undefined && known.epoch !== '') return known
    // A Redis that has forgotten it is told again: the directory is where it was.
    const bound = await this.#find(name, known)
    if (bound !== undefined) return bound
    const chosen = await this.#choose(name, tenant, conversationId)
    return (await this.#ask(name, chosen, true)) ?? { ...chosen, epoch: '' }
  }

  /** @returns undefined when it is bound to none */
  async find(tenant: string | undefined, conversationId: string): Promise<Binding | undefined> {
    const name = conversationName(tenant, conversationId)
    const known = this.#known.get(name)
    return known !== undefined && known.epoch !== '' ? known : await this.#find(name, known)
  }

  async #find(name: string, to: Pick<Binding, 'worker' | 'disk'> | undefined): Promise<Binding | undefined> {
    const bound = await this.#ask(name, to, false)
    return bound ?? (await onceRecalled(this.#redis, this.#graceMs, () => this.#ask(name, undefined, false)))
  }

  /**
   * What is known of it is out of date.
   *
   * @param moved whether it may be with another worker; otherwise its directory is where it was, unless Redis says something else
   */
  doubt(tenant: string | undefined, conversationId: string, moved: boolean): void {
    const name = conversationName(tenant, conversationId)
    const known = this.#known.get(name)
    if (moved) this.#known.delete(name)
    else if (known !== undefined) this.#known.set(name, { ...known, epoch: '' })
  }

  /**
   * Notes the disk of a worker that was not there when the conversation was bound to it, as `place` may do.
   *
   * @returns the disk that it has from now on
   */
  async settle(
    tenant: string | undefined,
    conversationId: string,
    epoch: string,
    disk: string,
  ): Promise<string> {
    const name = conversationName(tenant, conversationId)
    const settled = await runScript(this.#redis, settleScript, [bindingKey(name)], [epoch, disk])
    // It is another's by now: its worker says so.
    if (settled === '') return disk
    const known = this.#known.get(name)
    if (known?.epoch === epoch) this.#known.set(name, { ...known, disk: String(settled) })
    return String(settled)
  }

  /**
   * Gives a conversation up: requests that were sent before are refused from now on.
   *
   * @returns false when it has another binding by now, which stays
   */
  async unbind(tenant: string | undefined, conversationId: string, { epoch }: Binding): Promise<boolean> {
    const name = conversationName(tenant, conversationId)
    this.#known.delete(name)
    const args = [epoch, randomHex(8), abandonedTtlMs]
    return (await runScript(this.#redis, unbindScript, [bindingKey(name)], args)) === 1
  }

  /**
   * @param to what it is bound to if it is not bound
   * @param anew whether also when it was given up; otherwise only when Redis has forgotten it
   */
  async #ask(
    name: string,
    to: Pick<Binding, 'worker' | 'disk'> | undefined,
    anew: boolean,
  ): Promise<Binding | undefined> {
    const args = [to?.worker ?? '', randomHex(8), to?.disk ?? '', anew ? 0 : 1]
    const answer = await runScript(this.#redis, bindScript, [bindingKey(name)], args)
    const [worker, epoch, disk] = answer as [string, string, string]
    if (worker === '') return undefined
    const binding = { worker, epoch, disk }
    const [oldest] = this.#known.keys()
    if (this.#known.size >= most && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(name, binding)
    return binding
  }

  async #choose(name: string, tenant: string | undefined, conversationId: string) {
    const nodes = await this.#nodes.list()
    const workers = nodes.filter(({ draining }) => !draining).map(({ id }) => id)
    if (workers.length === 0) throw asError(noWorker('no worker is there'))
    const placed = await this.#place?.({ conversationId, tenant, workers })
    const worker =
      this.#place === undefined ? highest(name, workers) : checkWorkerName('what options.place gave', placed)
    return { worker, disk: nodes.find(({ id }) => id === worker)?.state ?? '' }
  }
}

/** Rendezvous hashing: another worker more or less moves few of those that are yet to be bound. */
function highest(name: string, workers: readonly string[]): string {
  const scored = workers.map((worker) => {
    return { worker, score: crypto().createHash('sha256').update(`${worker}\n${name}`).digest('hex') }
  })
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).worker
}
