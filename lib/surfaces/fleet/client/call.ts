// A call that a client has sent: what is known of it until it has its answer.

import type { OutputEvent } from '../../../commands/run/result.js'
import type { Answer } from '../answer.js'
import type { QueueName } from '../names.js'
import type { FleetRequest } from '../request.js'

/** Of a call of a tool: its listeners. */
export interface Following {
  onStart?: ((display: string | undefined) => void) | undefined
  onOutput?: ((event: OutputEvent) => void) | undefined
}

export interface SentCall extends Following {
  request: FleetRequest
  queue: QueueName
  /** The state directory that its worker had. */
  disk: string
  jobId: string
  /** The name of its result. */
  call: string
  /** Milliseconds of performance.now(): until then it has to have started. */
  startBy: number
  /** Until then it has an answer. */
  answerBy: number
  queueMs: number
  /** Milliseconds of Redis's clock: it was sent after that. */
  admittedAt: number
}

export class Call {
  readonly sent: SentCall
  readonly answer: Promise<Answer>
  /** Whether the job of this name is that of another sending, whose answer is this one's as well. */
  follows = false
  /** Puts it into the queue, unless a job of its name is there. Never rejects. */
  enqueue: () => Promise<void> = async () => {}
  /** Why it is not known whether it was put into the queue. */
  addFailure: unknown
  /** Whether a look is going on. */
  isWatched = false
  /** Whether its time is over, and somebody looks for its answer once more. */
  isLastLook = false
  /** Whether its worker has said that it runs, or about to. */
  hasStarted = false
  /** Looks that have not found its worker. */
  missed = 0
  /** Redis was away since it was sent: what is missing there proves nothing. */
  hasDoubts = false
  cancelAsked = false
  readonly sentAt = performance.now()
  /** When something was last heard of it. */
  heardAt = performance.now()
  /** When its worker was last asked about it. */
  askedAt = Number.NEGATIVE_INFINITY
  /** Bytes of its output that were given, or counted as dropped. */
  position = 0
  dropped = 0
  #resolve: ((answer: Answer) => void) | undefined

  constructor(sent: SentCall) {
    this.sent = sent
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get isAnswered(): boolean {
    return this.#resolve === undefined
  }

  finish(answer: Answer): void {
    if (this.#resolve === undefined) return
    if (answer.kind === 'result' && answer.output !== undefined) this.#tellRest(answer.output.bytes)
    this.#resolve(answer)
    this.#resolve = undefined
  }

  /** @param display undefined: nothing but a sign of life */
  started(begins: boolean, display: string | undefined): void {
    this.heardAt = performance.now()
    this.hasStarted = true
    if (!begins) return
    this.sent.onStart?.(display)
    this.sent.onStart = undefined
  }

  /** @param at bytes of its output before this piece: what is missing was dropped on the way */
  printed(at: number, text: string): void {
    this.heardAt = performance.now()
    this.hasStarted = true
    // It came twice: a connection was lost.
    if (this.isAnswered || at < this.position) return
    const dropped = at - this.position
    this.position = at + Buffer.byteLength(text)
    this.dropped += dropped
    this.sent.onOutput?.({ type: 'output', stream: 'output', text, dropped })
  }

  #tellRest(bytes: number): void {
    const dropped = bytes - this.position
    if (dropped <= 0 || this.sent.onOutput === undefined) return
    this.position = bytes
    this.dropped += dropped
    this.sent.onOutput({ type: 'output', stream: 'output', text: '', dropped })
  }
}
