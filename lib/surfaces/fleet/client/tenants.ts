// How many calls a tenant may have, in all processes together: leases in Redis, which end by themselves when their process
// is gone.

import type { Redis } from 'ioredis'
import { tenantKey, tenantName } from '../names.js'
import { admitScript, renewScript, runScript } from '../redis/scripts.js'

export class Tenants {
  readonly #redis: Redis
  readonly #limit: number
  readonly #leaseMs: number
  /** By the name of the tenant. */
  readonly #held = new Map<string, Set<string>>()

  constructor(redis: Redis, limit: number, leaseMs: number) {
    this.#redis = redis
    this.#limit = limit
    this.#leaseMs = leaseMs
  }

  /** @returns Redis's time, milliseconds; undefined when the tenant has as many as it may */
  async admit(tenant: string | undefined, sending: string): Promise<number | undefined> {
    const name = tenantName(tenant)
    const args = [this.#limit, sending, this.#leaseMs]
    const answer = await runScript(this.#redis, admitScript, [tenantKey(name)], args)
    const [admitted, now] = answer as [number, number]
    if (admitted === 0) return undefined
    const held = this.#held.get(name) ?? new Set()
    this.#held.set(name, held.add(sending))
    return now
  }

  leave(tenant: string | undefined, sending: string): void {
    const name = tenantName(tenant)
    const held = this.#held.get(name)
    held?.delete(sending)
    if (held?.size === 0) this.#held.delete(name)
    this.#redis.zrem(tenantKey(name), sending).catch(() => {})
  }

  /** With each sign of life. */
  async renew(): Promise<void> {
    const renewals = [...this.#held].map(([name, held]) =>
      runScript(this.#redis, renewScript, [tenantKey(name)], [this.#leaseMs, ...held]),
    )
    await Promise.all(renewals)
  }
}
