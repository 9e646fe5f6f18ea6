// What the parts of the tree's reader share.

import type { Input, Item, ItemRange, Source, Span } from '../script.js'
import type { Task } from '../steps.js'
import type { Tree } from './tree.js'

/** Reads one text with its tree. */
export interface Reader {
  /** Those of the whole script. */
  readonly items: Item[]
  readonly functions: string[]
  readonly source: Source
  readonly tree: Tree
  /** Reads the commands of a substitution in the tree. */
  inNode(node: number, input: Input | null): Task<ItemRange>
  /** Reads the commands of a text that is not in the tree. */
  inText(source: Source, input: Input | null): Task<ItemRange>
  slice(span: Span): string
  /** @param at in this text */
  distrust(reason: string, at: number): Distrust
}

/** A piece of a text, read up to `at`. */
export interface Cursor {
  at: number
  end: number
  /** Of the command that the piece is part of. */
  input: Input | null
  /** Where the body of a `<<-` here-document begins, if it is one. */
  tabbedFrom?: number | undefined
}

/** Tree and text do not agree. Thrown where reading the tree ends; another reader is to be asked. */
export class Distrust extends Error {
  /** @param offset in the script, about */
  constructor(
    reason: string,
    readonly offset: number,
  ) {
    super(`${reason} at ${offset}`)
  }
}
