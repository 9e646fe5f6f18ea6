// The syntax tree of a bash text, by tree-sitter's grammar in the addon: one array of integers, so that it comes in one
// piece. The nodes stand in pre-order, each with the fields of native/syntax/flat_tree.h.

import { type Addon, loadAddon } from './addon.js'

/** Integers in a node. A node is known by its number; its fields begin at that number times this. */
export const NODE_SIZE = 6

/** The fields of a node. */
export enum NodeField {
  /** Index into {@link SyntaxNames.kinds}. */
  kind = 0,
  /** What it is to its parent: index into {@link SyntaxNames.fields}, 0 for nothing in particular. */
  field = 1,
  /** UTF-16 code units of the text; `end` is exclusive. */
  start = 2,
  end = 3,
  /** Bits of {@link NodeFlag}. */
  flags = 4,
  /** The number of the node after its subtree: its next sibling, if it has one. */
  next = 5,
}

export enum NodeFlag {
  /** A rule of the grammar; without it a token that stands in a rule literally, such as `'if'`. */
  named = 1,
  /** A part that could not be parsed. */
  error = 2,
  /** A token that is not in the text, but was expected. */
  missing = 4,
  /** It is, or has somewhere inside, an error or a missing token. */
  hasError = 8,
  /** It may stand anywhere: a comment, an escaped newline. */
  extra = 16,
}

export interface SyntaxNames {
  /** Each name once: the token `if` and a rule of that name would be told apart by {@link NodeFlag.named}. */
  kinds: string[]
  fields: string[]
}

/** Asked at each check: kept here. */
let parser: Addon | undefined

/**
 * Parses a text on this thread. Never throws for what the text is: what is no bash has nodes of kind `ERROR`.
 *
 * @param deadlineMs milliseconds
 * @returns null when they were not enough, and where the addon cannot be loaded: the second parser needs none
 */
export function parse(text: string, deadlineMs: number): Int32Array | null {
  try {
    parser ??= loadAddon().addon
    return parser.parse(text, deadlineMs)
  } catch {
    return null
  }
}

/**
 * The same on another thread. Texts are parsed one after the other; the time of each counts from its turn.
 *
 * @returns null also when the thread cannot be started; never rejects
 */
export async function parseAsync(text: string, deadlineMs: number): Promise<Int32Array | null> {
  try {
    const { addon } = loadAddon()
    return await new Promise((resolve) => addon.parseAsync(text, deadlineMs, resolve))
  } catch {
    return null
  }
}

let names: SyntaxNames | undefined

/** What the numbers in a tree stand for; the same object each time. */
export function syntaxNames(): SyntaxNames {
  names ??= loadAddon().addon.syntaxNames()
  return names
}
