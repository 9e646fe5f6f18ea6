// The harness's end of a host process: one promise for each request, and none of them waits for ever.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import readline from 'node:readline'
import { fileURLToPath } from 'node:url'

const HOST = fileURLToPath(new URL('../host/main.mjs', import.meta.url))
const CALL_TIMEOUT_MS = 45_000

export class Host {
  #process = spawn(process.execPath, ['--expose-gc', HOST], { stdio: ['pipe', 'pipe', 'inherit'] })
  #waiting = new Map()
  #lastId = 0
  #ended

  constructor() {
    this.#ended = once(this.#process, 'exit').then(([code, signal]) =>
      this.#fail(`the host ended: ${signal ?? code}`),
    )
    this.#process.stdin.on('error', () => {})
    readline
      .createInterface({ input: this.#process.stdout })
      .on('line', (line) => this.#receive(JSON.parse(line)))
  }

  /**
   * @param {string} operation one of host/main.mjs
   * @param {object} request
   * @returns {Promise<any>} its value; rejects with its error, when the host ends, and after 45 s
   */
  call(operation, request = {}) {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
      return Promise.reject(new Error('the host has ended'))
    }
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#timeOut(operation), CALL_TIMEOUT_MS)
      this.#waiting.set(id, { resolve, reject, timer })
      this.#process.stdin.write(`${JSON.stringify({ id, operation, ...request })}\n`)
    })
  }

  /** Ends the process, and waits until it is gone. */
  async close() {
    this.#process.stdin.end()
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 2000)
    await this.#ended
    clearTimeout(timer)
  }

  #receive({ id, value, error }) {
    const call = this.#waiting.get(id)
    if (call === undefined) return
    this.#waiting.delete(id)
    clearTimeout(call.timer)
    if (error === undefined) call.resolve(value)
    else call.reject(new Error(error))
  }

  #timeOut(operation) {
    this.#fail(`no answer to ${operation} within ${CALL_TIMEOUT_MS / 1000} s`)
    this.#process.kill('SIGKILL')
  }

  #fail(message) {
    for (const call of this.#waiting.values()) {
      clearTimeout(call.timer)
      call.reject(new Error(message))
    }
    this.#waiting.clear()
  }
}

/**
 * Calls `use` with a new host and ends the host afterwards.
 * @template T @param {(host: Host) => Promise<T>} use @returns {Promise<T>}
 */
export async function withHost(use) {
  const host = new Host()
  try {
    return await use(host)
  } finally {
    await host.close()
  }
}
