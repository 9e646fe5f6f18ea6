// Reads scripts at once, for tests: parses synchronously.

import { readScript } from '../../../../lib/guard/safety/script/read-script.js'
import type { Script } from '../../../../lib/guard/safety/script/script.js'
import type { Steps } from '../../../../lib/guard/safety/script/steps.js'
import { readTree } from '../../../../lib/guard/safety/script/tree/read-tree.js'
import { readWithUnbash } from '../../../../lib/guard/safety/script/unbash/read-with-unbash.js'
import { parse } from '../../../../lib/processes/engine/native/syntax-tree.js'

const deadlineMs = 30_000

export const readWithTree = (text: string): Script => finish(readScript(text), parseAll)

export const readWithoutTree = (text: string): Script => finish(readScript(text), () => null)

/** Nothing is asked of unbash. */
export const readOnlyTree = (text: string): Script => finish(readTree(text, parseAll(text)), parseAll)

export const readOnlyUnbash = (text: string): Script => finish(readWithUnbash(text), () => null)

export function finish<Result>(steps: Steps<Result>, answer: (text: string) => Int32Array | null): Result {
  for (let next = steps.next(); ; ) {
    if (next.done) return next.value
    next = steps.next(next.value ? answer(next.value.parse) : undefined)
  }
}

function parseAll(text: string): Int32Array {
  const nodes = parse(text, deadlineMs)
  if (nodes === null) throw new Error('not parsed in time')
  return nodes
}
