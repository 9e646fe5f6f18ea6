// Reads the text of a script.

import { readTree } from './from-tree.js'
import { readWithUnbash } from './from-unbash.js'
import type { Script } from './script.js'
import type { Steps } from './steps.js'

/** The commands of a bash script, as far as its text tells them. Never throws, and runs nothing. */
export function* readScript(text: string): Steps<Script> {
  const nodes = yield { parse: text }
  const fromTree = nodes ? yield* readTree(text, nodes) : null
  if (fromTree?.unread === null) return fromTree
  const second = readWithUnbash(text)
  if (second !== null) return second
  return fromTree ?? { items: [], unread: 0 }
}
