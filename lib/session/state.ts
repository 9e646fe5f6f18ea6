// What a session remembers of its shell, as the differences from a shell that has just started: what the user did
// not touch goes on following the host's environment.

import type { ByteString } from './bytes.js'

export interface OptionChanges {
  on: readonly string[]
  off: readonly string[]
}

export interface ShellState {
  /** The statements that make each variable. */
  variables: ReadonlyMap<ByteString, ByteString>
  /** Variables that a fresh shell has and this one has not. */
  unsetVariables: ReadonlySet<ByteString>
  /** The statements that make each function. */
  functions: ReadonlyMap<ByteString, ByteString>
  /** Functions that a fresh shell has and this one has not. */
  unsetFunctions: ReadonlySet<ByteString>
  /** The statements that make each alias. */
  aliases: ReadonlyMap<ByteString, ByteString>
  /** Options of `shopt`. */
  shopt: OptionChanges
  /** Options of `set -o`. */
  set: OptionChanges
}

const unchanged: OptionChanges = { on: [], off: [] }

export const freshState: ShellState = {
  variables: new Map(),
  unsetVariables: new Set(),
  functions: new Map(),
  unsetFunctions: new Set(),
  aliases: new Map(),
  shopt: unchanged,
  set: unchanged,
}
