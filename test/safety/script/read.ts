// Reads scripts at once, for tests: parses synchronously.
import { parse } from '../../../lib/engine/native/syntax-tree.js'
import { readScript } from '../../../lib/safety/script/read-script.js'
import type { Script } from '../../../lib/safety/script/script.js'
import type { Steps } from '../../../lib/safety/script/steps.js'
import { readTree } from '../../../lib/safety/script/tree/read-tree.js'
import { readWithUnbash } from '../../../lib/safety/script/unbash/read-with-unbash.js'

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
