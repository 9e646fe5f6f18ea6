// Reads the text of a script.

import { readPlain } from './plain/read-plain.js'
import type { Script } from './script.js'
import type { Steps } from './steps.js'
import { readTree } from './tree/read-tree.js'
import { readWithUnbash } from './unbash/read-with-unbash.js'

/** The commands of a bash script, as far as its text tells them. Never throws, and runs nothing. */
export function* readScript(text: string): Steps<Script> {
  const plain = yield* readPlain(text)
  if (plain !== null) return plain
  const nodes = yield { parse: text }
  const fromTree = nodes ? yield* readTree(text, nodes) : null
  if (fromTree?.unread === null) return fromTree
  const second = yield* readWithUnbash(text)
  // Neither to the end: bash runs the lines before a syntax error, so what could be read counts.
  return fromTree !== null && second.unread !== null && second.unread < fromTree.unread ? fromTree : second
}
