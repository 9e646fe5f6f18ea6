// What a session remembers of its shell, as the differences from a shell that has just started: what the user did
// not touch goes on following the host's environment.

/**
 * A string whose characters are all below U+0100, one for each byte (latin1): what bash holds need not be UTF-8, and a
 * string can be searched, compared and put together more easily than a Buffer.
 */
export type ByteString = string

export function fromBuffer(bytes: Buffer): ByteString {
  return bytes.toString('latin1')
}

export function toBuffer(bytes: ByteString): Buffer {
  return Buffer.from(bytes, 'latin1')
}

/** The UTF-8 bytes of a text. */
export function encodeText(text: string): ByteString {
  return Buffer.from(text).toString('latin1')
}

/** The text; bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: ByteString): string {
  return toBuffer(bytes).toString()
}

export interface OptionChanges {
  on: readonly string[]
  off: readonly string[]
}

export interface ShellFunction {
  /** As `declare -f` prints it; empty where the text of a function before it defines it too. */
  text: ByteString
  /** As `declare -F` prints them. */
  flags: string
  /** Whether bash has read this text before, and printed it again. */
  isProven: boolean
}

export interface ShellState {
  /** The statements that make each variable. */
  variables: ReadonlyMap<ByteString, ByteString>
  /** Variables that a fresh shell has and this one has not. */
  unsetVariables: ReadonlySet<ByteString>
  functions: ReadonlyMap<ByteString, ShellFunction>
  /** Functions that a fresh shell has and this one has not. */
  unsetFunctions: ReadonlySet<ByteString>
  /** The statements that make each alias. */
  aliases: ReadonlyMap<ByteString, ByteString>
  /** Options of `shopt`. */
  shopt: OptionChanges
  /** Options of `set -o`. */
  set: OptionChanges
  /** Octal digits; undefined for that of a fresh shell. */
  umask: string | undefined
  /** Positional parameters, from $1 on. */
  positional: readonly ByteString[]
  /** The stack of `pushd`, without the working directory. */
  directories: readonly ByteString[]
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
  umask: undefined,
  positional: [],
  directories: [],
}
