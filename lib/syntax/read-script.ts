// Reads the text of a script.

import { readWithUnbash } from './from-unbash.js'
import type { Script } from './script.js'
import type { Steps } from './steps.js'

/** The commands of a bash script, as far as its text tells them. Never throws, and runs nothing. */
// biome-ignore lint/correctness/useYield: the tree is asked for here as soon as it is read.
export function* readScript(text: string): Steps<Script> {
  return readWithUnbash(text) ?? { items: [], unread: 0 }
}
