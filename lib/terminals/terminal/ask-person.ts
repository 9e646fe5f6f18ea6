// A person is asked for the secret that a program wants, and it is handed over: no model sees it.

import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { BashError, messageOf } from '../../base/errors.js'
import { checkOneOf, checkType, invalidInput } from '../../base/util/invalid-input.js'
import { onAbort } from '../../base/util/listeners.js'
import { askedBy, type WhoAsks } from './asking-program.js'
import type { JobTerminal } from './job-terminal.js'
import type { SecretPrompt } from './secret-prompt.js'
import type { TerminalState } from './state.js'

/** What a person is to know. Names are of the programs' own choosing, and so is the prompt: any program may ask for anything. */
export interface SecretQuestion extends WhoAsks {
  jobId: string
  /** The command of the job. */
  command: string
  /** What stands at the cursor, without what no screen shows. */
  prompt: string
  /** `likely`: only the prompt says that it is a secret. */
  asksSecret: SecretPrompt
  /** Aborted when the prompt is gone: the question is to be withdrawn, an answer is thrown away. */
  signal: AbortSignal
}

/**
 * Asks a person. One line of at most 1,024 bytes without control characters; bytes are wiped once they are typed. Null: there is no
 * answer, and the program is interrupted.
 */
export type AskPerson = (
  question: SecretQuestion,
) => string | Uint8Array | null | Promise<string | Uint8Array | null>

/**
 * - `given`: it was typed
 * - `declined`: there was no answer; C-c was pressed
 * - `withdrawn`: the prompt was gone before there was one
 * - `refused`: it was not typed; `message` says why
 * - `failed`: `askPerson` has thrown
 */
export type SecretAnswer =
  | { outcome: 'given' | 'declined' | 'withdrawn' | 'failed' }
  | { outcome: 'refused'; message: string }

export interface Asking {
  jobId: string
  command: string
  askPerson: AskPerson
  /** Whether it was seen on the screen that a secret is asked for. Default: `state.asksSecret` says it. */
  seen?: boolean | undefined
  /** Its prompt there. Default: `state.cursorLine`. */
  prompt?: string | undefined
  /** Withdraws the question, and does not interrupt the program. */
  signal?: AbortSignal | undefined
}

const maxRounds = 3
const maxAttempts = 5
const lookMs = 300
const { EAGAIN, ESTALE } = constants.errno

export interface AskingOptions {
  /** Asks a person for a secret that a program wants. Default: nobody is asked. */
  askPerson?: AskPerson | undefined
  /** Whether the person is asked. Default `ask` with `askPerson`, otherwise `refuse`. */
  passwords?: 'ask' | 'refuse' | undefined
}

/**
 * Who is to be asked, by these options.
 *
 * @returns undefined: nobody
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function checkAsking(field: string, { askPerson, passwords }: AskingOptions): AskPerson | undefined {
  const given = checkType<AskPerson>(`${field}.askPerson`, askPerson, 'function')
  if (passwords === undefined) return given
  const asks = checkOneOf(`${field}.passwords`, passwords, ['ask', 'refuse']) === 'ask'
  if (asks && given === undefined) {
    throw invalidInput(`${field}.askPerson`, "must be given with passwords: 'ask'", given)
  }
  return asks ? given : undefined
}

/**
 * One question: asked once more, up to three times, if the prompt has been replaced by another one until there was an answer.
 *
 * @param terminal of its own: it is asked now and then whether the prompt is still there, which takes the place of what others ask
 * @param state in which the secret is asked for
 * @throws {BashError} (rejects) ERR_JOB_NOT_FOUND, ERR_TERMINAL: the terminal cannot be had at all
 */
export async function askForSecret(
  terminal: JobTerminal,
  state: TerminalState,
  asking: Asking,
): Promise<SecretAnswer> {
  const { seen: _, prompt: __, ...again } = asking
  let prompt = state
  for (let round = 0; round < maxRounds; round++) {
    const answer = await askOnce(terminal, prompt, round === 0 ? asking : again)
    if (answer !== 'stale') return answer
    const now = await whileRunning(terminal.wait({ timeoutMs: 1000, signal: asking.signal }))
    if (now?.asksSecret === undefined) return { outcome: 'withdrawn' }
    prompt = now
  }
  return { outcome: 'withdrawn' }
}

/** Undefined once the job has ended, or nobody wants it any more. */
async function whileRunning<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (isOf(error, 'ERR_JOB_NOT_RUNNING') || isOf(error, 'ERR_CANCELLED')) return undefined
    throw error
  }
}

const isOf = (error: unknown, code: string): boolean => BashError.isInstance(error) && error.code === code

const isSame = (one: TerminalState, other: TerminalState): boolean =>
  one.pid === other.pid && one.startTime === other.startTime && one.offset === other.offset

async function askOnce(
  terminal: JobTerminal,
  state: TerminalState,
  { jobId, command, askPerson, seen = false, prompt = state.cursorLine, signal }: Asking,
): Promise<SecretAnswer | 'stale'> {
  const gone = new AbortController()
  const done = new AbortController()
  const release = onAbort(signal, () => gone.abort())
  const watched = watch(terminal, state, gone, done.signal)
  try {
    const asksSecret = state.asksSecret ?? 'likely'
    const question = { ...askedBy(state), jobId, command, prompt, asksSecret, signal: gone.signal }
    const answer = await untilAborted(
      Promise.resolve().then(() => askPerson(question)),
      gone.signal,
    )
    // It is not asked for its state while it is typed into.
    if (answer === undefined) return signal?.aborted ? { outcome: 'withdrawn' } : 'stale'
    done.abort()
    await watched
    if (answer === null) return await decline(terminal, state)
    return await hand(terminal, state, seen, answer)
  } catch (error) {
    if (error instanceof NoAnswer) return { outcome: 'failed' }
    if (isOf(error, 'ERR_JOB_NOT_RUNNING')) return { outcome: 'withdrawn' }
    throw error
  } finally {
    done.abort()
    release()
    await watched
  }
}

/** Aborts `gone` when another state is there. */
async function watch(
  terminal: JobTerminal,
  state: TerminalState,
  gone: AbortController,
  done: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([gone.signal, done])
  while (!signal.aborted) {
    await sleep(lookMs, undefined, { ref: false, signal }).catch(() => {})
    if (signal.aborted) return
    const now = await terminal.state().catch(() => undefined)
    if (now === undefined || !isSame(now, state)) gone.abort()
  }
}

class NoAnswer extends Error {}

/** What it throws may have the answer in it, so nobody is told. */
async function untilAborted(
  answer: Promise<string | Uint8Array | null>,
  signal: AbortSignal,
): Promise<string | Uint8Array | null | undefined> {
  let release = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    release = onAbort(signal, () => resolve(undefined))
  })
  try {
    const given = await Promise.race([answer, aborted])
    if (given === undefined) answer.then(wipe, () => {})
    return given
  } catch {
    throw new NoAnswer()
  } finally {
    release()
  }
}

function wipe(answer: unknown): void {
  if (answer instanceof Uint8Array) answer.fill(0)
}

async function decline(terminal: JobTerminal, state: TerminalState): Promise<SecretAnswer> {
  if (!isSame(await terminal.state(), state)) return { outcome: 'withdrawn' }
  await terminal.keys('C-c')
  return { outcome: 'declined' }
}

async function hand(
  terminal: JobTerminal,
  prompt: TerminalState,
  seen: boolean,
  answer: string | Uint8Array,
): Promise<SecretAnswer | 'stale'> {
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await terminal.writeSecret(answer, { prompt, seen })
        return { outcome: 'given' }
      } catch (error) {
        if (!isBusy(error) || attempt === maxAttempts) throw error
        await sleep(lookMs)
      }
    }
  } catch (error) {
    if (isOf(error, 'ERR_TERMINAL') && (error as BashError).errno === ESTALE) return 'stale'
    if (isOf(error, 'ERR_TERMINAL') || isOf(error, 'ERR_INVALID_INPUT')) {
      return { outcome: 'refused', message: messageOf(error) }
    }
    throw error
  } finally {
    wipe(answer)
  }
}

const isBusy = (error: unknown): boolean => BashError.isInstance(error) && error.errno === EAGAIN
