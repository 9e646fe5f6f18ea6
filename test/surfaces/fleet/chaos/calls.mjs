// Calls whose commands note each run in a file of their own, and what their callers were told.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { delay } from './machines.mjs'

const notStarted = new Set([
  ...['ERR_NOT_STARTED', 'ERR_NO_WORKER', 'ERR_DEADLINE', 'ERR_STALE', 'ERR_FENCED', 'ERR_BUSY'],
])
/** Queue time, time limit and slack of the calls here, and as much again for a machine that is busy. */
const patienceMs = 200_000

export class Calls {
  /** Names of calls, by what was found wrong with them. */
  violations = { ranTwice: [], completedUnrun: [], notStartedRan: [], unanswered: [] }
  outcomes = {}
  total = 0
  #directory
  #random
  #told = new Map()

  constructor(directory, random) {
    this.#directory = directory
    this.#random = random
  }

  /** Sends a call; one that was not answered with a result is sent once more, or not. */
  async make(tool, conversationId) {
    this.total += 1
    const name = `call-${this.total}`
    const seconds = this.#random() < 0.5 ? 0 : this.#random() * 1.5
    const command = `echo ${name} >> ${join(this.#directory, name)}; sleep ${seconds.toFixed(2)}; echo done`
    const context = { conversationId, toolCallId: name, detached: this.#random() < 0.3 }
    this.#told.set(name, [])
    const first = await this.#send(tool, name, command, context)
    // Otherwise most calls would be those that find no worker.
    if (first.error?.code === 'ERR_NO_WORKER') await delay(1000)
    const mayRepeat = first.error !== undefined && this.#random() < 0.5
    if (mayRepeat) await this.#send(tool, name, command, context)
  }

  async #send(tool, name, command, context) {
    const answer = tool.execute({ command }, context)
    const result = await Promise.race([answer, delay(patienceMs).then(() => undefined)])
    if (result === undefined) {
      this.violations.unanswered.push(name)
      return {}
    }
    const outcome = result.error?.code ?? `${result.status}${result.replayed ? ' (replayed)' : ''}`
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1
    this.#told.get(name)?.push(outcome)
    if (result.status === 'completed' && this.#runs(name) === 0) this.violations.completedUnrun.push(name)
    return result
  }

  #runs(name) {
    const file = join(this.#directory, name)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }

  /** When nothing runs any more. */
  check() {
    for (const [name, told] of this.#told) {
      const runs = this.#runs(name)
      if (runs > 1) this.violations.ranTwice.push(name)
      if (runs > 0 && told.length > 0 && told.every((outcome) => notStarted.has(outcome))) {
        this.violations.notStartedRan.push(`${name}: ${told.join(', ')}`)
      }
    }
  }
}
