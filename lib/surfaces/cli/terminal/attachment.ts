// A person at the terminal of a job: sees its screen, types into it, and leaves it without ending it.

import { setTimeout as delay } from 'node:timers/promises'
import { BashError } from '../../../base/errors.js'
import type { Job } from '../../../commands/jobs/job.js'
import type { JobStore } from '../../../commands/jobs/store.js'
import type { JobTerminal } from '../../../terminals/terminal/job-terminal.js'
import type { Size } from '../../../terminals/terminal/painted-frame.js'
import { ScreenPainter } from '../../../terminals/terminal/painter.js'
import type { Screen } from '../../../terminals/terminal/screen.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import { GrowingScreen, type JobSize } from './growing-screen.js'
import { jobSizeFor } from './job-size.js'
import { KeySender } from './key-sender.js'
import { onLogChange } from './log-changes.js'
import { PersonTerminal } from './person-terminal.js'
import { statusRow } from './status-row.js'
import { splitAtDetach, toModeOf } from './typed-keys.js'
import { Waker } from './waker.js'

export interface AttachOptions {
  /** Whether nothing is typed. */
  isReadOnly: boolean
  /** Whether the job's terminal gets the size of the person's, also later. */
  isResized: boolean
}

/** How it came to an end. */
export type Ending =
  | { why: 'ended'; job: Job }
  | { why: 'detached' }
  /** A signal came, or the terminal is gone. */
  | { why: 'signal'; exitStatus: number }
  /** It cannot be told any more how the job is. */
  | { why: 'failed'; error: unknown }

/** Between two paintings, milliseconds: nobody sees more. */
const frameMs = 25
/** After output or a key, until it is asked what the program does. */
const settleMs = 120
/** While nothing happens. */
const idleMs = 1000
/** How long one who leaves waits until a supervisor has taken what was typed. */
const maxSendMs = 1000
/** How long a message stands in the status row. */
const messageMs = 4000

const logFull = 'its output file is full: this is not its screen of now'

/** Before anything is drawn. */
const emptyScreen = ({ rows, cols }: JobSize): Screen => ({
  rows,
  columns: cols,
  lines: [],
  cursor: { row: 1, column: 1, visible: true },
  alternate: false,
  applicationCursor: false,
  bracketedPaste: false,
  incomplete: false,
})

export class Attachment {
  readonly #job: Job
  readonly #store: JobStore
  readonly #options: AttachOptions
  readonly #terminal: JobTerminal
  readonly #person: PersonTerminal
  readonly #keys: KeySender
  readonly #painter: ScreenPainter
  readonly #over = new AbortController()
  readonly #toPaint = new Waker()
  readonly #toAsk = new Waker()
  readonly #toEnd = new Waker()
  #size: Size
  /** What is written before the next painting. */
  #cleared = ''
  #jobSize: JobSize
  #screen: Screen
  /** Why there is none of now. */
  #unavailable: string | undefined
  #state: TerminalState | undefined
  #message: { text: string; until: number } | undefined
  #ending: Ending | undefined

  constructor(store: JobStore, job: Job, options: AttachOptions) {
    this.#store = store
    this.#job = job
    this.#options = options
    this.#terminal = store.open(job.id)
    this.#person = new PersonTerminal({
      onInput: (bytes) => this.#type(bytes),
      onResize: () => this.#onResize(),
      onEnd: (exitStatus) => this.#end({ why: 'signal', exitStatus }),
    })
    this.#keys = new KeySender(this.#terminal, {
      onTyped: (dropped) => {
        if (dropped > 0) this.#say(`${dropped} typed bytes were dropped`)
        this.#toAsk.wake()
      },
      onRefused: (problem) => this.#say(problem),
    })
    this.#size = this.#person.size
    this.#painter = new ScreenPainter(this.#size)
    this.#jobSize = job.record?.terminal ?? { rows: 24, cols: 100 }
    this.#screen = emptyScreen(this.#jobSize)
  }

  /**
   * Resolves when the job has ended, or the person has left it. The terminal is as it was then. Of a job that has ended
   * before, its last screen is shown.
   *
   * @throws {BashError} ERR_TERMINAL when the job has no terminal. Nothing has been painted then
   */
  async run(): Promise<Ending> {
    const state = this.#options.isResized ? this.#resizeJob() : this.#terminal.state()
    this.#takeState(await state.catch(unlessEnded))
    const screen = await GrowingScreen.open(this.#job.outputFile, this.#jobSize)
    const endWatch = onLogChange(this.#job.outputFile, () => {
      this.#toPaint.wake()
      this.#toAsk.wake()
    })
    try {
      this.#person.enter(this.#painter.enter(), () => this.#painter.leave())
      this.#waitForEnd()
      this.#keepAsking()
      return await this.#keepPainting(screen)
    } finally {
      this.#ending ??= { why: 'detached' }
      this.#over.abort()
      endWatch()
      await this.#person.giveBack()
      // What was typed right before the key that detaches.
      await Promise.race([this.#keys.sent(), delay(maxSendMs)])
      this.#terminal.close()
      await screen.close()
    }
  }

  async #keepPainting(screen: GrowingScreen): Promise<Ending> {
    for (;;) {
      const ending = this.#ending
      if (ending?.why === 'failed') throw ending.error
      if (ending?.why === 'signal' || ending?.why === 'detached') return ending
      const since = performance.now()
      await this.#draw(screen, ending)
      const cleared = this.#cleared
      this.#cleared = ''
      await this.#person.write(cleared + this.#painter.paint(this.#screen, this.#statusRow()))
      if (ending !== undefined) return ending
      // A flood may take a third of the time, but the end is not to wait for that.
      await this.#toEnd.sleep(Math.max(frameMs, 2 * (performance.now() - since)))
      await this.#toPaint.sleep(idleMs)
    }
  }

  async #draw(screen: GrowingScreen, ending: Ending | undefined): Promise<void> {
    screen.resize(this.#jobSize)
    const exit = ending?.why === 'ended' ? ending.job.exit : null
    const answer = await screen.draw({ exit, altScreen: this.#state?.altScreen }, { styles: true })
    if (answer === undefined) return
    this.#unavailable = 'unavailable' in answer ? answer.unavailable : undefined
    if (!('unavailable' in answer)) this.#screen = answer
  }

  #statusRow(): string {
    if (this.#message !== undefined && Date.now() > this.#message.until) this.#message = undefined
    const { rows, cols } = this.#jobSize
    return statusRow({
      id: this.#job.id,
      isReadOnly: this.#options.isReadOnly,
      state: this.#state,
      isCropped: rows > this.#size.rows - 1 || cols > this.#size.columns,
      problem: this.#message?.text ?? this.#unavailable ?? (this.#isLogFull() ? logFull : undefined),
    })
  }

  /** Nothing more of what it prints is to be had before it has ended. */
  #isLogFull(): boolean {
    const printed = this.#state?.offset ?? 0
    return printed >= (this.#job.record?.maxOutputBytes ?? Number.POSITIVE_INFINITY)
  }

  /** What the program does: soon after something has happened, and now and then. Never rejects. */
  async #keepAsking(): Promise<void> {
    while (this.#ending === undefined) {
      try {
        this.#takeState(await this.#terminal.state())
      } catch (error) {
        // That a job has ended is told elsewhere.
        if (BashError.isInstance(error)) this.#state = undefined
        else this.#end({ why: 'failed', error })
      }
      this.#toPaint.wake()
      if (await this.#toAsk.sleep(idleMs)) await delay(settleMs)
    }
  }

  /** Never rejects. */
  async #waitForEnd(): Promise<void> {
    try {
      this.#end({ why: 'ended', job: await this.#store.wait(this.#job.id, { signal: this.#over.signal }) })
    } catch (error) {
      this.#end({ why: 'failed', error })
    }
  }

  #takeState(state: TerminalState | undefined): void {
    this.#state = state
    if (state !== undefined) this.#jobSize = { rows: state.rows, cols: state.cols }
  }

  #type(bytes: Buffer): void {
    const { before, isDetached } = splitAtDetach(bytes)
    if (this.#options.isReadOnly) {
      if (before.length > 0) this.#say('keys are not passed on')
    } else this.#keys.send(toModeOf(before, this.#screen.applicationCursor))
    if (isDetached) this.#end({ why: 'detached' })
  }

  #onResize(): void {
    this.#size = this.#person.size
    this.#cleared = this.#painter.resize(this.#size)
    this.#toPaint.wake()
    if (!this.#options.isResized) return
    this.#resizeJob().then(
      (state) => {
        this.#takeState(state)
        this.#toPaint.wake()
      },
      // One that has ended has no size.
      () => this.#toAsk.wake(),
    )
  }

  async #resizeJob(): Promise<TerminalState> {
    return await this.#terminal.resize(jobSizeFor(this.#person.size))
  }

  #say(text: string): void {
    this.#message = { text, until: Date.now() + messageMs }
    this.#toPaint.wake()
  }

  #end(ending: Ending): void {
    this.#ending ??= ending
    this.#toEnd.wake()
    this.#toPaint.wake()
    this.#toAsk.wake()
  }
}

function unlessEnded(error: unknown): undefined {
  if (!BashError.isInstance(error) || error.code !== 'ERR_JOB_NOT_RUNNING') throw error
}
