// A screen that output is drawn on as it comes, by a thread of its own: what a program prints may take an emulator any time.

import type { Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors.js'
import { checkInteger, invalidInput } from '../../base/util/invalid-input.js'
import { workerThreads } from '../../base/util/lazy.js'
import { timeLimit } from '../../base/util/time-limit.js'
import { maxDrawMs, maxReplayBytes } from './limits.js'
import type { Drawn, Order, Ready, ScreenParts, Step } from './orders.js'
import { screenProgram } from './program.js'
import type { ScreenAnswer } from './screen.js'
import { defaultTerminal, maxTerminal } from './size.js'
import { limitThread } from './thread-limit.js'

/** The thread has to be there after so many milliseconds. */
const maxStartMs = 10_000
/** Steps of one order: a window is not resized more often. */
const maxSteps = 4096

/** Beside what the emulator keeps in arrays, which its size bounds. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

const tooSlow = `drawing it took more than ${maxDrawMs} ms`

/** Read while this file loads: later a command may have written to it. */
const program = screenProgram()

/**
 * After a screen that could not be drawn there is none any more; a new one begins anew. The thread does not keep the process
 * from ending, unless somebody waits for a screen.
 */
export class LiveScreen {
  readonly #worker: Worker | undefined
  /** Why there is no screen. */
  #problem: string | undefined
  #thread = ''
  /** Until it is ready, and then until the order before is done. */
  #turn: Promise<unknown>
  /** Who waits for the thread's next message. */
  #answer: ((message: unknown) => void) | undefined
  #ended: Promise<unknown> | undefined

  /**
   * @param size default 24 rows of 100 columns; from 1 x 2 to 200 x 500
   * @throws {BashError} ERR_INVALID_INPUT
   */
  constructor({ rows = defaultTerminal.rows, columns = defaultTerminal.cols } = {}) {
    const workerData = checkSize('screen', rows, columns)
    try {
      this.#worker = new (workerThreads().Worker)(program, {
        eval: true,
        workerData,
        resourceLimits,
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
      })
    } catch (error) {
      this.#problem = messageOf(error)
    }
    this.#worker?.on('message', (message) => this.#answer?.(message))
    this.#worker?.on('error', (error) => this.#give(messageOf(error)))
    this.#worker?.on('exit', () => this.#give('its thread has ended'))
    this.#turn = this.#start()
  }

  /**
   * Draws what has come, in order, and reads the screen then.
   *
   * @param steps at most 4 MiB of output. Its bytes are copied
   * @throws {BashError} ERR_INVALID_INPUT, as a rejection
   */
  async draw(steps: readonly Step[], parts: ScreenParts = {}): Promise<ScreenAnswer> {
    const order: Order = { steps: copySteps(steps), parts }
    const turn = this.#turn.then(() => this.#order(order))
    this.#turn = turn
    return turn
  }

  /** Ends the thread. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#give('it was closed')
    await this.#ended
  }

  async #start(): Promise<void> {
    const endLimit = timeLimit(maxStartMs, () => this.#give(`its thread did not start in ${maxStartMs} ms`))
    const ready = (await this.#next()) as Ready | undefined
    endLimit()
    if (ready === undefined) return
    this.#thread = ready.thread
    this.#worker?.unref()
  }

  async #order(order: Order): Promise<ScreenAnswer> {
    if (this.#problem === undefined) {
      this.#worker?.ref()
      const end = limitThread(this.#thread, maxDrawMs, () => this.#give(tooSlow))
      this.#worker?.postMessage(order, transferable(order))
      const drawn = (await this.#next()) as Drawn | undefined
      end()
      if (drawn !== undefined) {
        this.#worker?.unref()
        return { ...drawn, incomplete: false }
      }
    }
    return { unavailable: `screen not available: ${this.#problem}` }
  }

  /** The thread's next message; undefined when there will be none. */
  async #next(): Promise<unknown> {
    if (this.#problem !== undefined) return undefined
    const message = await new Promise<unknown>((resolve) => {
      this.#answer = resolve
    })
    this.#answer = undefined
    return message
  }

  #give(problem: string): void {
    this.#problem ??= problem
    // Or the process would end before those who wait for it are told.
    this.#worker?.ref()
    this.#ended ??= this.#worker?.terminate()
    this.#answer?.(undefined)
  }
}

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkSize(field: string, rows: unknown, columns: unknown): { rows: number; columns: number } {
  return {
    rows: checkInteger(`${field}.rows`, rows, [1, maxTerminal.rows]),
    // A wide character has to have room.
    columns: checkInteger(`${field}.columns`, columns, [2, maxTerminal.cols]),
  }
}

function copySteps(steps: readonly Step[]): Step[] {
  const copied: Step[] = []
  let bytes = 0
  if (steps.length > maxSteps) throw invalidInput('steps', `must be at most ${maxSteps} steps`, steps.length)
  for (const step of steps) {
    if ('rows' in step) copied.push(checkSize('steps', step.rows, step.columns))
    else {
      bytes += step.bytes.length
      if (bytes > maxReplayBytes) {
        throw invalidInput('steps', `must have at most ${maxReplayBytes} bytes of output`, bytes)
      }
      // A part of a larger buffer would be sent with all of that.
      copied.push({ bytes: new Uint8Array(step.bytes) })
    }
  }
  return copied
}

const transferable = ({ steps }: Order): ArrayBuffer[] =>
  steps.flatMap((step) => ('bytes' in step ? [step.bytes.buffer as ArrayBuffer] : []))
