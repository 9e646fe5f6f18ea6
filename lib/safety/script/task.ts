// Recursion without a deep stack: a generator that yields what it calls. Scripts nest ten thousand levels deep.

import type { Step, Steps } from './steps.js'

/** Work that calls other work with `yield* call(…)`, asks for parses, and yields undefined where it may pause. */
// biome-ignore lint/suspicious/noExplicitAny: what a yield answers depends on what was yielded; `call` and `parse` know.
export type Task<Result> = Generator<Step | { call: Task<unknown> }, Result, any>

/** The result of another task, which runs with no more stack than this one. */
export function* call<Result>(task: Task<Result>): Task<Result> {
  return yield { call: task }
}

/** The tree of a text; null: none within the deadline. */
export function* parse(text: string): Task<Int32Array | null> {
  return (yield { parse: text }) ?? null
}

/** Milliseconds between pauses. */
const timeSlice = 1
const stepsBetweenLooks = 32

/** Runs a task, and offers a pause every millisecond. What the task throws, this throws. */
export function* run<Result>(task: Task<Result>): Steps<Result> {
  const callers: Task<unknown>[] = []
  let current: Task<unknown> = task
  let answer: unknown
  let pausedAt = performance.now()
  for (let steps = 1; ; steps++) {
    const { done, value } = current.next(answer)
    answer = undefined
    if (done) {
      const caller = callers.pop()
      if (caller === undefined) return value as Result
      current = caller
      answer = value
    } else if (value !== undefined && 'call' in value) {
      callers.push(current)
      current = value.call
    } else if (value !== undefined) {
      answer = yield value
      pausedAt = performance.now()
    }
    if (steps % stepsBetweenLooks === 0 && performance.now() - pausedAt > timeSlice) {
      yield undefined
      pausedAt = performance.now()
    }
  }
}
