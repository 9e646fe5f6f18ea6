// The terminal of a job, for whoever types into it.

import { constants } from 'node:os'
import { dirname } from 'node:path'
import { BashError } from '../../base/errors.js'
import {
  checkAbortSignal,
  checkFlag,
  checkInteger,
  checkObject,
  invalidInput,
} from '../../base/util/invalid-input.js'
import { onAbort } from '../../base/util/listeners.js'
import { part } from '../../base/util/load-part.js'
import { Connection, ConnectionLost } from './connection.js'
import { type Answer, inputFrame, queryFrame, resizeFrame, secretFrame, waitFrame } from './frames.js'
import type * as JobScreens from './job-screen.js'
import type { OutputEnd } from './job-screen.js'
import { bytesOfKeys } from './keys.js'
import type { ScreenParts } from './orders.js'
import type { ScreenAnswer } from './screen.js'
import { secretBytes, secretRefusal } from './secret.js'
import { checkSize, defaultTerminal, type TerminalSizeOptions } from './size.js'
import { type TerminalState, toState } from './state.js'
import { bytesOfText, checkBytes, checkText } from './text.js'

export interface WriteOptions {
  /** Whether Enter follows the text. Default true. */
  submit?: boolean | undefined
}

/** Where a secret was asked for, of the state in which it was. */
export type SecretPlace = Pick<TerminalState, 'pid' | 'startTime' | 'offset' | 'asksSecret'>

export interface WriteSecretOptions {
  /** The state in which it was asked for. Default: the one of now. */
  prompt?: SecretPlace | undefined
  /** Whether it was seen on the screen that it is asked for, though `prompt.asksSecret` does not say so. Default false. */
  seen?: boolean | undefined
}

export interface WaitTerminalOptions {
  /** Milliseconds after which there is an answer in any case, 0…86,400,000. Default 10,000. */
  timeoutMs?: number | undefined
  /** Milliseconds without output after which there is an answer, too. Default: silence alone is none. */
  quietMs?: number | undefined
  /** Silence counts once more bytes than this have been printed. Default 0. */
  fromOffset?: number | undefined
  signal?: AbortSignal | undefined
}

/** What became of what was typed. */
export interface Typed {
  /** Bytes that the program has not read yet; of lines, those that are complete. */
  unreadBytes: number
  /** Bytes that the terminal gets as the program reads. */
  queuedBytes: number
  /** Bytes typed before that were dropped: for an interrupt, or as another program would have read them. */
  droppedBytes: number
}

/** The job of the terminal, as far as the terminal needs it. */
export interface TerminalJob {
  id: string
  status: string
  record: { terminal?: { rows: number; cols: number } } | null
  outputFile: string
  /** The end of its output, of so many bytes at most. */
  readEnd(most: number): Promise<OutputEnd>
}

type Reply = Exclude<Answer, { type: 'hello' }>

const maxWaitMs = 86_400_000
const defaultWaitMs = 10_000
const offsets = [0, Number.MAX_SAFE_INTEGER] as const

const jobScreens = part((): typeof JobScreens => require('./job-screen.js'))

/**
 * It is given by {@link JobStore.open}, and connects when it is first used. Any number of hosts may type into one terminal:
 * what each call types stays together.
 *
 * Every method rejects with BashError: ERR_INVALID_INPUT; ERR_JOB_NOT_FOUND; ERR_JOB_NOT_RUNNING when the job has ended;
 * ERR_TERMINAL when it has no terminal, or did not take what was typed.
 */
export class JobTerminal {
  readonly #look: () => Promise<TerminalJob>
  readonly #connection: Connection

  /** @param look rejects when there is no such job */
  constructor(look: () => Promise<TerminalJob>) {
    this.#look = look
    this.#connection = new Connection(async () => {
      const job = await look()
      const unusable = whyUnusable(job)
      if (unusable !== undefined) throw unusable
      return dirname(job.outputFile)
    })
  }

  /**
   * Types a text, and Enter. Several lines go as one paste if the program has asked for that. What is no text, such as
   * Escape or Ctrl-C, has a name: see {@link keys}.
   */
  async write(text: string, options: WriteOptions = {}): Promise<Typed> {
    checkText('text', text)
    const { submit = true } = checkObject('options', options, ['submit']) as WriteOptions
    checkFlag('options.submit', submit)
    if (text === '' && !submit) throw invalidInput('text', 'must not be empty without submit', text)
    const modes = text.includes('\n') ? await this.state() : { cooked: true, bracketedPaste: false }
    return this.#typed(await this.#type(bytesOfText(text, submit, modes)))
  }

  /**
   * Types a secret, and Enter: one line of at most 1,024 bytes. The supervisor types it only if all is still as it was in
   * `prompt`, the program waits for a line that is not shown, and no other process is known to read this terminal; or, if the
   * secret is only likely asked for, without looking whether it is shown. From then on it puts `[secret]` in its place in
   * the output of the job, unless it has less than four bytes, and keeps it in memory for that.
   *
   * @param secret bytes are not changed, but can be wiped when this has resolved; strings cannot
   * @throws {BashError} (rejects) ERR_TERMINAL: nothing was typed. `errno` says why: ESTALE it is not asked for any more, EPERM it would be
   * shown, EBUSY another process reads this terminal, which the message names; EAGAIN, ENOBUFS
   */
  async writeSecret(secret: string | Uint8Array, options: WriteSecretOptions = {}): Promise<void> {
    const { prompt: given, seen = false } = checkObject('options', options, [
      'prompt',
      'seen',
    ]) as WriteSecretOptions
    checkFlag('options.seen', seen)
    const bytes = secretBytes('secret', secret)
    let sent: Buffer | undefined
    try {
      const { asksSecret, ...at } = checkPrompt(given ?? (await this.state()))
      const fields = { ...at, seen: seen || asksSecret === 'likely' }
      const answer = await this.#request((tag) => {
        sent = secretFrame(tag, bytes, fields)
        return sent
      })
      if (answer.type !== 'secretTaken') throw unexpected()
      if (answer.error !== 0) throw secretRefusal(answer)
    } finally {
      bytes.fill(0)
      sent?.fill(0)
    }
  }

  /**
   * Presses keys, by their names in tmux's spelling: `keys('Up', 'Enter')`, `keys('C-c')`, `keys('Escape', ':', 'q', 'Enter')`.
   */
  async keys(...keys: string[]): Promise<Typed> {
    return this.#typed(await this.#type(bytesOfKeys('keys', keys)))
  }

  /**
   * Passes on what a person's terminal sends, as it is: for hosts that show this one to a person. What a model types goes through
   * {@link write} and {@link keys}, which refuse what could end a paste.
   *
   * @param bytes 1…65,528
   */
  async send(bytes: Uint8Array): Promise<Typed> {
    return this.#typed(await this.#type(checkBytes('bytes', bytes)))
  }

  /** Gives it another size, and tells the program. */
  async resize(size: TerminalSizeOptions): Promise<TerminalState> {
    const { rows, cols } = checkSize('size', size)
    return stateOf(await this.#ask((tag) => resizeFrame(tag, rows, cols)))
  }

  /** How it is now. */
  async state(): Promise<TerminalState> {
    return stateOf(await this.#ask(queryFrame))
  }

  /** Waits until its program waits for input, or the job has ended, or the time is up. */
  async wait(options: WaitTerminalOptions = {}): Promise<TerminalState> {
    const names = ['timeoutMs', 'quietMs', 'fromOffset', 'signal']
    const given = checkObject('options', options, names) as WaitTerminalOptions
    const { timeoutMs: deadlineMs = defaultWaitMs, quietMs = 0, fromOffset = 0 } = given
    checkInteger('options.timeoutMs', deadlineMs, [0, maxWaitMs], 'milliseconds')
    checkInteger('options.quietMs', quietMs, [0, maxWaitMs], 'milliseconds')
    checkInteger('options.fromOffset', fromOffset, offsets, 'bytes')
    const signal = checkAbortSignal('options.signal', given.signal)
    const answer = this.#ask((tag) => waitFrame(tag, { deadlineMs, quietMs, fromOffset }))
    return stateOf(signal === undefined ? await answer : await until(answer, signal))
  }

  /**
   * What it shows, also after the end of the job. One that cannot be drawn is `unavailable`. It is drawn anew with each call,
   * from at most 4 MiB of output. Secrets are not taken out of it.
   *
   * @param parts what is wanted beside the text: what has scrolled off (1,000 rows at most), colours
   */
  async screen(parts: ScreenParts = {}): Promise<ScreenAnswer> {
    const { checkScreenParts, drawScreen, screenBytes } = jobScreens()
    const wanted = checkScreenParts('parts', parts)
    const state = await this.state().catch((error: unknown) => {
      if (BashError.isInstance(error) && error.code === 'ERR_JOB_NOT_RUNNING') return undefined
      throw error
    })
    const job = await this.#look()
    const end = await job.readEnd(screenBytes)
    const isMissing = end.isMissing || (state?.offset ?? 0) > end.offset + end.bytes.length
    const size = job.record?.terminal ?? defaultTerminal
    return await drawScreen({ ...end, isMissing }, state ?? size, wanted)
  }

  /** Gives the connection back. The object can be used on, which makes another one. */
  close(): void {
    this.#connection.close()
  }

  async #type(bytes: Buffer): Promise<Reply> {
    return await this.#request((tag) => inputFrame(tag, bytes))
  }

  #typed(answer: Reply): Typed {
    if (answer.type !== 'taken') throw unexpected()
    const { error, unread, queued, dropped } = answer
    if (error !== 0) throw refusal(error)
    return { unreadBytes: unread, queuedBytes: queued, droppedBytes: dropped }
  }

  /** A question can be asked again over another connection; what was typed may have arrived. */
  async #ask(frame: (tag: number) => Buffer): Promise<Reply> {
    return await this.#connection.request(frame).catch((error) => {
      if (error instanceof ConnectionLost) return this.#request(frame)
      throw error
    })
  }

  async #request(frame: (tag: number) => Buffer): Promise<Reply> {
    try {
      return await this.#connection.request(frame)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      throw await this.#reason(error)
    }
  }

  async #reason(cause: ConnectionLost): Promise<BashError> {
    const job = await this.#look()
    return (
      whyUnusable(job) ??
      new BashError('ERR_TERMINAL', `the terminal of ${job.id}: ${cause.message}`, { cause })
    )
  }
}

function whyUnusable({ id, status, record }: TerminalJob): BashError | undefined {
  if (record !== null && record.terminal === undefined) {
    return new BashError('ERR_TERMINAL', `${id} has no terminal: it was started without tty`)
  }
  if (status === 'running') return undefined
  return new BashError('ERR_JOB_NOT_RUNNING', `${id} does not run: it is ${status}`)
}

function stateOf(answer: Reply): TerminalState {
  if (answer.type !== 'state') throw unexpected()
  return toState(answer)
}

function checkPrompt({ pid = 0, startTime = 0, offset, asksSecret }: SecretPlace) {
  checkInteger('options.prompt.pid', pid, offsets)
  checkInteger('options.prompt.startTime', startTime, offsets)
  checkInteger('options.prompt.offset', offset, offsets)
  return { pid, startTime, offset, asksSecret }
}

const unexpected = (): BashError => new BashError('ERR_INTERNAL', 'another answer came from the terminal')

function refusal(error: number): BashError {
  const reasons: Readonly<Record<number, string>> = {
    [constants.errno.EMSGSIZE]:
      'a line over 4095 bytes would be cut off, as the program reads whole lines: write it to a file, or pipe it',
    [constants.errno.ENOBUFS]: 'nothing was typed: the program has not read a mebibyte that was typed before',
  }
  return new BashError('ERR_TERMINAL', reasons[error] ?? `nothing was typed: error ${error}`, {
    errno: error,
  })
}

/** The wait of the supervisor goes on for a while; the next one takes its place. */
async function until<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let release = () => {}
  const aborted = new Promise<never>((_, reject) => {
    release = onAbort(signal, () => reject(new BashError('ERR_CANCELLED', 'the wait was cancelled')))
  })
  answer.catch(() => {})
  try {
    return await Promise.race([answer, aborted])
  } finally {
    release()
  }
}
