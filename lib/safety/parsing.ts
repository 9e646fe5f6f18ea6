// The two drivers of work in steps: at once, or giving way to the event loop.

import { parse, parseAsync } from '../engine/native/syntax-tree.js'
import type { ParseAnswer, Steps } from './script/steps.js'

/** Milliseconds for all parsing of one check together. */
const parseDeadlineMs = 200

/** Milliseconds on the JavaScript thread before others get a turn. */
const sliceMs = 5

/** Works to the end. */
export function runSync<Result>(steps: Steps<Result>): Result {
  const started = performance.now()
  let step = steps.next()
  while (!step.done) {
    const text = step.value?.parse
    step = steps.next(text === undefined ? undefined : parse(text, remaining(started)))
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
      answer = await parseAsync(text, Math.max(parseDeadlineMs - parsing, 1))
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

function remaining(started: number): number {
  return Math.max(parseDeadlineMs - (performance.now() - started), 1)
}
