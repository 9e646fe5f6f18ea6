// What a person has answered "always" to, for as long as a connection lasts.

import { loadPolicy } from '../../guard/verdicts/policies.js'
import type { Policy, PolicyRule } from '../../guard/verdicts/policy/policy.js'
import type { Remembered } from '../../tools/verdicts/options.js'

/** A person who has been asked so often has not read the questions. */
const maxRules = 1000

export class RememberedRules {
  readonly #rules = new Map<string, PolicyRule>()
  #policy: Policy | undefined

  /** Undefined as long as there are none. */
  get policy(): Policy | undefined {
    return this.#policy
  }

  /** A grant is not offered for longer than a call. */
  add(remembered: Remembered): void {
    if ('grant' in remembered || this.#rules.size >= maxRules) return
    this.#rules.set(JSON.stringify(remembered.prefix), remembered)
    this.#policy = loadPolicy({ rules: [...this.#rules.values()], from: 'remembered' })
  }
}
