// The script as the tree of tree-sitter-bash has it, as far as the tree agrees with the text.

import { Distrust } from './distrust.js'
import { wholeText } from './offsets.js'
import type { Script } from './script.js'
import type { Steps } from './steps.js'
import { run } from './task.js'
import { TreeCommands } from './tree/commands.js'
import { Tree } from './tree/tree.js'

/** `unread` is where tree and text part; the lines before are in the script. */
export function* readTree(text: string, nodes: Int32Array): Steps<Script> {
  const script: Script = { items: [], unread: null }
  let read = 0
  try {
    const onLine = () => {
      read = script.items.length
    }
    yield* run(new TreeCommands(script, wholeText(text), new Tree(nodes, text)).all(null, onLine))
  } catch (error) {
    if (!(error instanceof Distrust)) throw error
    script.items.length = read
    script.unread = error.offset
  }
  return script
}
