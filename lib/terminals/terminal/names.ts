// Names that programs have given themselves, or files, for people and models: a name may hold any bytes, such as those that
// move a cursor, turn the direction of writing, or read like an instruction.

import { completeLength } from '../../processes/output/utf8.js'

/** Characters of a name, without its quotes. */
export const maxName = 60

/** Letters, marks, digits, punctuation, symbols and the space. Neither controls nor what is not seen. */
const shown = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
/** Marks that pile up on one character. */
const maxMarks = 4

/**
 * In quotes, which say where it ends. What is not shown as itself is escaped: `\x1b`, `\u{202e}`, and `\xff` for a byte that is
 * not UTF-8.
 *
 * @param name as /proc has it. A string is taken as text
 * @param most characters between the quotes; a longer name ends with `…`
 */
export function quoteName(name: string | Uint8Array, most = maxName): string {
  let quoted = ''
  /** Where it can be cut. */
  let short = ''
  let marks = 0
  for (const character of typeof name === 'string' ? name : charactersOf(name)) {
    marks = /^\p{M}$/u.test(character) ? marks + 1 : 0
    const piece = marks > maxMarks ? escapeText(character) : show(character)
    if (quoted.length + piece.length > most) return `"${short}…"`
    quoted += piece
    if (quoted.length < most) short = quoted
  }
  return `"${quoted}"`
}

/** A byte that is not UTF-8 comes as a lone surrogate, as U+DCFF for 0xff. */
function* charactersOf(name: Uint8Array): Generator<string, void, undefined> {
  const bytes = Buffer.from(name.buffer, name.byteOffset, Math.min(name.length, maxBytes))
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at)
    if (length === 0) yield String.fromCharCode(0xdc00 + (bytes[at] as number))
    else yield bytes.toString('utf8', at, at + length)
    at += Math.max(length, 1)
  }
}

/** Far more than is shown. */
const maxBytes = 4096

/** 0: no character begins here. */
function characterLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const part = bytes.subarray(at, at + length)
    if (completeLength(part) === length)
      return part.toString('utf8').includes('\ufffd') && !isReplacement(part) ? 0 : length
  }
  return 0
}

const isReplacement = (bytes: Buffer): boolean => bytes.equals(Buffer.from('\ufffd'))

function show(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`
  return shown.test(character) ? character : escapeText(character)
}

function escapeText(character: string): string {
  const code = character.codePointAt(0) as number
  if (code >= 0xdc00 && code <= 0xdcff) return hex(code - 0xdc00)
  return code < 0x80 ? hex(code) : `\\u{${code.toString(16)}}`
}

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`
