// The terminals of a session's commands: what is typed into them, how long a call waits for an answer, and their screens.

import type { FileHandle } from 'node:fs/promises'
import { BashError } from '../../../base/errors.js'
import { part } from '../../../base/util/load-part.js'
import { openRegular } from '../../../base/util/regular-file.js'
import { readBytes } from '../../../commands/jobs/extent.js'
import type { Job } from '../../../commands/jobs/job.js'
import type { ReadJobOptions } from '../../../commands/jobs/read.js'
import { checkRedactJob } from '../../../commands/jobs/redaction.js'
import type { JobStore } from '../../../commands/jobs/store.js'
import { withoutImitations } from '../../../processes/output/notices.js'
import { redactTokens } from '../../../processes/output/redact/redact-tokens.js'
import type { JobTerminal } from '../../../terminals/terminal/job-terminal.js'
import { type ScreenAnswer, screenText } from '../../../terminals/terminal/screen.js'
import type * as Screens from '../../../terminals/terminal/screens.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import { TerminalTracker } from '../../../terminals/terminal/tracker.js'
import type { TerminalVerdict } from '../../../terminals/terminal/verdict.js'
import { joinLines } from '../../../tools/bash-text.js'
import type { Guarded } from '../../../tools/tty/guard.js'
import { inTurn } from '../../../tools/tty/turns.js'
import type { Typing } from '../../../tools/tty/typing.js'
import { stateLine } from './state-line.js'
import { typedPieces } from './typed.js'

const screens = part((): typeof Screens => require('../../../terminals/terminal/screens.js'))

/** Of an output that has grown by more, only the end is looked at. */
const mostBytes = 4 * 1024 ** 2
/** The record of a job's end is written a moment after its end, milliseconds. */
const recordMs = 5_000

/** Nothing more comes of these by itself; others do something meanwhile. */
const idle: ReadonlySet<TerminalVerdict> = new Set(['line', 'keys', 'password'])

interface Open {
  terminal: JobTerminal
  tracker: TerminalTracker
}

interface Shown {
  /** What the text begins with. */
  offset: number
  text: string
  maxChars: number
  redact: ReadJobOptions['redact']
  /** Undefined: it ends at this moment. */
  terminal: TerminalState | undefined
}

export class Terminals {
  readonly #jobs: JobStore
  readonly #open = new Map<string, Open>()

  constructor(jobs: JobStore) {
    this.#jobs = jobs
  }

  /**
   * @returns undefined when the job has ended, otherwise how it is after {@link settle}
   * @throws {BashError} ERR_TERMINAL for what the terminal does not take; ERR_COMMAND_REJECTED for what may not be typed
   */
  async type(
    jobId: string,
    chars: string,
    timeoutMs: number,
    permit: (job: Job, terminal: JobTerminal, typing: Typing) => Promise<Guarded>,
  ): Promise<TerminalState | undefined> {
    const { terminal } = this.#of(jobId)
    const job = await this.#jobs.get(jobId)
    return await this.#unlessEnded(jobId, async () => {
      for (const typing of typedPieces(chars)) {
        await inTurn(job.outputFile, async () => {
          const { refusal } = await permit(job, terminal, typing)
          if (refusal !== undefined) throw rejection(refusal)
          if (typing.keys.length > 0) await terminal.keys(...typing.keys)
          else await terminal.write(typing.text, { submit: typing.submit })
        })
      }
      return await this.settle(jobId, timeoutMs, false)
    })
  }

  /**
   * Waits until the program waits for input, the job has ended, or the time is up.
   *
   * @param isPoll nothing was typed: a program that does something while it accepts keys is given the time
   * @returns undefined when the job has ended
   */
  async settle(jobId: string, timeoutMs: number, isPoll: boolean): Promise<TerminalState | undefined> {
    const deadline = performance.now() + timeoutMs
    const { terminal } = this.#of(jobId)
    return await this.#unlessEnded(jobId, async () => {
      const state = await terminal.wait({ timeoutMs })
      if (!isPoll || state.reason !== 'input' || idle.has(state.verdict)) return state
      const left = Math.max(Math.round(deadline - performance.now()), 0)
      const { status } = await this.#jobs.wait(jobId, { timeoutMs: left })
      return status === 'running' ? await terminal.state() : undefined
    })
  }

  /** It may end at any moment, or its supervisor be killed: the job says which. */
  async #unlessEnded(
    jobId: string,
    ask: () => Promise<TerminalState | undefined>,
  ): Promise<TerminalState | undefined> {
    try {
      const state = await ask()
      if (state === undefined || state.reason !== 'ended') return state
    } catch (error) {
      const { status } = await this.#jobs.get(jobId)
      if ((error as BashError).code !== 'ERR_JOB_NOT_RUNNING' && status === 'running') throw error
    }
    await this.#jobs.wait(jobId, { timeoutMs: recordMs })
    return undefined
  }

  /** What has come since, as text or, where that cannot be read without it, as the screen; and how the program is. */
  async show(jobId: string, { offset, text, maxChars, redact, terminal }: Shown): Promise<string> {
    const screen = await this.#screen(await this.#jobs.get(jobId), offset, text.split('\n').length)
    if (screen === undefined) return joinLines(text, stateLine(terminal))
    if ('unavailable' in screen) return joinLines(text, `[${screen.unavailable}]`, stateLine(terminal))
    const shown = screenText(screen, maxChars).text
    const hidden = checkRedactJob('redact', redact)?.text(shown) ?? shown
    return joinLines(withoutImitations(redactTokens(hidden)), stateLine(terminal, screen))
  }

  /** @param lines that it would have as text */
  async #screen(
    { id, record, outputFile }: Job,
    offset: number,
    lines: number,
  ): Promise<ScreenAnswer | undefined> {
    const { tracker } = this.#of(id)
    const { rows, cols: columns } = record?.terminal ?? { rows: 24, cols: 100 }
    const file = await openRegular(outputFile)
    try {
      await follow(tracker, file)
      // More lines than the screen has would be lost there.
      const isNeeded = tracker.alternate || (tracker.needsScreenSince(offset) && lines <= rows)
      if (!isNeeded) return undefined
      const from = tracker.replayStart()
      const bytes = await readBytes(file, from.offset, tracker.offset)
      return await screens().replayScreen({ ...from, bytes, sizes: [{ offset: 0, rows, columns }] })
    } finally {
      await file.close()
    }
  }

  /** Of a job that is not told of any more. */
  forget(jobId: string): void {
    this.#open.get(jobId)?.terminal.close()
    this.#open.delete(jobId)
  }

  close(): void {
    for (const jobId of this.#open.keys()) this.forget(jobId)
  }

  #of(jobId: string): Open {
    const known = this.#open.get(jobId)
    if (known !== undefined) return known
    const made = { terminal: this.#jobs.open(jobId), tracker: new TerminalTracker() }
    this.#open.set(jobId, made)
    return made
  }
}

function rejection({ rule, why, message }: NonNullable<Guarded['refusal']>): BashError {
  const begins = why === undefined ? `input rejected: ${rule}` : `needs approval: ${why}`
  return new BashError('ERR_COMMAND_REJECTED', rule === 'secret' ? message : `[${begins}] ${message}`)
}

/** Up to the end of the output that there is now. Several calls may do so at once. */
async function follow(tracker: TerminalTracker, file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  if (size - tracker.offset > mostBytes) tracker.skip(size - tracker.offset - mostBytes)
  const from = tracker.offset
  if (size <= from) return
  const bytes = await readBytes(file, from, size)
  if (tracker.offset === from) tracker.write(bytes)
}
