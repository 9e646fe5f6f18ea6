// The questions of a suite of tools to a person: a question may last longer than the call that has begun it.

import { setTimeout as sleep } from 'node:timers/promises'
import { onAbort } from '../../base/util/listeners.js'
import { type Asking, askForSecret, type SecretAnswer } from './ask-person.js'
import type { JobTerminal, WaitTerminalOptions } from './job-terminal.js'
import type { TerminalState } from './state.js'

/** As long as a call waits, so many questions are asked: a wrong password is asked for again. */
const maxQuestions = 5

type Look = (state: TerminalState) => Promise<Pick<Asking, 'seen' | 'prompt'> | undefined>

export interface Waited {
  state: TerminalState
  /** What has become of the questions, in their order. */
  answers: SecretAnswer[]
  /** Whether a person is still being asked: the next wait goes on with that. */
  isAsking: boolean
}

/**
 * Questions to the person, at most one for each job at a time: a question may last longer than the call that has begun it.
 *
 * Nothing of a secret is in what this gives, or in what it throws.
 */
export class SecretQuestions {
  readonly #open: (jobId: string) => JobTerminal
  readonly #pending = new Map<string, Promise<SecretAnswer>>()
  /** What has become of questions that no call has waited for until then. */
  readonly #late = new Map<string, SecretAnswer>()

  /** @param open gives another object for the terminal: `JobStore.open` */
  constructor(open: (jobId: string) => JobTerminal) {
    this.#open = open
  }

  /** The question about this job, which is asked if none is. */
  ask(state: TerminalState, asking: Asking): Promise<SecretAnswer> {
    const { jobId } = asking
    const before = this.#pending.get(jobId)
    if (before !== undefined) return before
    const terminal = this.#open(jobId)
    const answer = askForSecret(terminal, state, asking).finally(() => {
      terminal.close()
      this.#pending.delete(jobId)
    })
    answer.catch(() => {})
    this.#pending.set(jobId, answer)
    return answer
  }

  /**
   * Waits as `terminal.wait` does. When a secret is asked for, the person is, and the wait goes on for as long as there is time.
   *
   * @param look tells whether the screen asks for a secret where the state does not; it gives `Asking.seen` and `prompt`
   * @param answers is added to: for a caller who wants them also when this rejects, as the job has ended
   */
  async wait(
    terminal: JobTerminal,
    options: WaitTerminalOptions,
    asking: Asking,
    look?: Look,
    answers: SecretAnswer[] = [],
  ): Promise<Waited> {
    const { timeoutMs = 10_000 } = options
    const end = Date.now() + timeoutMs
    const { jobId } = asking
    const before = this.#pending.get(jobId)
    const known =
      before === undefined ? this.#late.get(jobId) : await within(before, timeoutMs, options.signal)
    if (before !== undefined && known === undefined) {
      return { state: await terminal.state(), answers, isAsking: true }
    }
    this.#late.delete(jobId)
    if (known !== undefined) answers.push(known)
    for (;;) {
      const state = await terminal.wait({ ...options, timeoutMs: Math.max(0, end - Date.now()) })
      const seen = mayAsk(state) ? await seenIn(state, look) : undefined
      if (seen === undefined || answers.length === maxQuestions || answers.some(isLast)) {
        return { state, answers, isAsking: false }
      }
      const asked = this.ask(state, { ...asking, ...seen })
      const answer = await within(asked, end - Date.now(), options.signal)
      if (answer === undefined) {
        asked.then((late) => this.#late.set(jobId, late)).catch(() => {})
        return { state, answers, isAsking: true }
      }
      answers.push(answer)
    }
  }
}

/** What computes has not come to its question yet. */
const mayAsk = ({ reason }: TerminalState): boolean => reason === 'input'

const seenIn = async (state: TerminalState, look: Look | undefined): ReturnType<Look> =>
  state.asksSecret === undefined ? await look?.(state) : {}

/** A program that asks again after that is left to the caller. */
const isLast = ({ outcome }: SecretAnswer): boolean => ['declined', 'refused', 'failed'].includes(outcome)

/** Undefined: not in so many milliseconds, or not wanted any more. */
async function within<Value>(
  value: Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  const over = new AbortController()
  const release = onAbort(signal, () => over.abort())
  const late = sleep(Math.max(0, timeoutMs), undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    over.abort()
    release()
  }
}
