// Reading in steps, so that a long text can yield to the event loop and be parsed on another thread.

import * as syntaxTree from '../../../processes/engine/native/syntax-tree.js'

/** Nodes, see `lib/processes/engine/native/syntax-tree.ts`; null: none within the deadline, or the addon cannot be loaded. */
export type ParseAnswer = Int32Array | null

/** Asks for the tree of a text; undefined only offers a pause. */
type Step = { parse: string } | undefined

/** Runs to `Result`. Answer each `{parse}` with the tree, and a pause with nothing. */
export type Steps<Result> = Generator<Step, Result, ParseAnswer | undefined>

/**
 * Recursion without a deep stack: scripts nest ten thousand levels deep. A task calls another one with `yield* call(…)`,
 * gets a tree with `yield* parse(…)`, and yields undefined where it may pause.
 */
// biome-ignore lint/suspicious/noExplicitAny: what a yield answers depends on what was yielded; `call` and `parse` know.
export type Task<Result> = Generator<Step | { call: Task<unknown> }, Result, any>

/** The result of another task, which runs with no more stack than this one. */
export function* call<Result>(task: Task<Result>): Task<Result> {
  return yield { call: task }
}

export function* parse(text: string): Task<ParseAnswer> {
  return (yield { parse: text }) ?? null
}

/** Milliseconds between the pauses of a task. */
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

/** Milliseconds for all parsing of one check together. */
const parseDeadlineMs = 200

/** Milliseconds on the JavaScript thread before others get a turn. */
const sliceMs = 2

/** Works to the end at once. */
export function runSync<Result>(steps: Steps<Result>): Result {
  let deadline: number | undefined
  let step = steps.next()
  while (!step.done) {
    const text = step.value?.parse
    if (text === undefined) step = steps.next()
    else {
      deadline ??= performance.now() + parseDeadlineMs
      step = steps.next(syntaxTree.parse(text, Math.max(deadline - performance.now(), 1)))
    }
  }
  return step.value
}

/** Parses on another thread, and pauses every few milliseconds. */
export async function runAsync<Result>(steps: Steps<Result>): Promise<Result> {
  let parsing = 0
  let resumed = performance.now()
  let step = steps.next()
  while (!step.done) {
    const text = step.value?.parse
    let answer: ParseAnswer | undefined
    if (text !== undefined) {
      const asked = performance.now()
      answer = await syntaxTree.parseAsync(text, Math.max(parseDeadlineMs - parsing, 1))
      resumed = performance.now()
      parsing += resumed - asked
    } else if (performance.now() - resumed > sliceMs) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      resumed = performance.now()
    }
    step = steps.next(answer)
  }
  return step.value
}
