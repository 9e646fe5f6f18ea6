// Reads a text with its tree.

import type { Source } from '../offsets.js'
import type { Input, ItemRange, Script } from '../script.js'
import { parse, type Task } from '../task.js'
import { List } from './list.js'
import { Tree } from './tree.js'
import { type Commands, Words } from './words.js'

/** The commands of one text. A text in it that has a tree of its own is read by another one like this. */
export class TreeCommands implements Commands {
  readonly words: Words

  constructor(
    readonly script: Script,
    source: Source,
    readonly tree: Tree,
  ) {
    this.words = new Words(source, tree, this)
  }

  *all(input: Input | null, onLine?: () => void): Task<ItemRange> {
    const end = { node: this.tree.size, at: this.tree.text.length }
    return yield* new List(this, { node: 0, at: 0 }, end, input).read(onLine)
  }

  *inNode(node: number, input: Input | null): Task<ItemRange> {
    const { tree, words } = this
    // Its first and last child are its parentheses.
    const opening = node + 1
    const closing = [...tree.children(node)].at(-1) as number
    if (tree.slice(closing) !== ')') throw words.distrust('a substitution without an end', tree.start(node))
    const from = { node: tree.next(opening), at: tree.end(opening) }
    return yield* new List(this, from, { node: closing, at: tree.start(closing) }, input).read()
  }

  *inText(source: Source, input: Input | null): Task<ItemRange> {
    const nodes = yield* parse(source.text)
    if (nodes === null) throw this.words.distrust('a text that takes too long to parse', 0)
    return yield* new TreeCommands(this.script, source, new Tree(nodes, source.text)).all(input)
  }
}
