// A command as an async iterable of its events.

import type { BashEvent, BashResult } from '../../commands/run/result.js'

/** Runs a command, emits its events up to the result, and resolves when it is gone. Never rejects. */
export type StartStream<Result = BashResult> = (
  emit: (event: BashEvent<Result>) => void,
  controller: AbortController,
) => Promise<void>

/**
 * Each iteration starts a command of its own, with its first step. Leaving the loop early, also while it waits for the
 * next event, aborts the controller that `start` was given, and waits until the command is gone.
 */
export function eventStream<Result = BashResult>(
  start: StartStream<Result>,
): AsyncIterable<BashEvent<Result>> {
  return { [Symbol.asyncIterator]: () => new EventIterator(start) }
}

/** UTF-16 units of text that may wait for a reader that does not read: some 6 seconds of the fastest live view. */
const maxWaitingText = 8 * 1024 * 1024

type Step<Result> = IteratorResult<BashEvent<Result>, undefined>

const finished: IteratorReturnResult<undefined> = { done: true, value: undefined }

// Not an async generator: its return() would wait for the step that is in progress, that is for the next event.
class EventIterator<Result> implements AsyncIterator<BashEvent<Result>, undefined> {
  readonly #start: StartStream<Result>
  readonly #controller = new AbortController()
  readonly #events: BashEvent<Result>[] = []
  readonly #waiting: ((step: Step<Result>) => void)[] = []
  #running: Promise<void> | undefined
  #waitingText = 0
  #ended = false

  constructor(start: StartStream<Result>) {
    this.#start = start
  }

  async next(): Promise<Step<Result>> {
    this.#running ??= this.#ended ? undefined : this.#run()
    const event = this.#events.shift()
    if (event !== undefined) {
      this.#waitingText -= textLength(event)
      return { done: false, value: event }
    }
    if (this.#ended) return finished
    return await new Promise((resolve) => this.#waiting.push(resolve))
  }

  async return(): Promise<Step<Result>> {
    this.#end()
    this.#events.length = 0
    this.#controller.abort()
    await this.#running
    return finished
  }

  async #run(): Promise<void> {
    await this.#start((event) => this.#emit(event), this.#controller)
    this.#end()
  }

  #emit(event: BashEvent<Result>): void {
    if (this.#ended) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#queue(event)
    else waiting({ done: false, value: event })
  }

  #queue(event: BashEvent<Result>): void {
    const length = textLength(event)
    if (event.type !== 'output' || this.#waitingText + length <= maxWaitingText) {
      this.#waitingText += length
      this.#events.push(event)
      return
    }
    const dropped = event.dropped + Buffer.byteLength(event.text)
    const last = this.#events.at(-1)
    if (last?.type === 'output' && last.text === '' && last.stream === event.stream) last.dropped += dropped
    else this.#events.push({ ...event, text: '', dropped })
  }

  #end(): void {
    this.#ended = true
    for (const resolve of this.#waiting.splice(0)) resolve(finished)
  }
}

function textLength(event: BashEvent<unknown>): number {
  return event.type === 'output' ? event.text.length : 0
}
