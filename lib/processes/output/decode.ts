// Captured bytes become text here, once, at the end of a command.

import { isUtf8 } from 'node:buffer'
import { completeLength, orphanLength } from './utf8.js'

/** What is left of one stream: its first bytes, its last bytes, and how many there were. */
export interface CapturedStream {
  /** The first bytes, up to the capture's limit. */
  head: Buffer
  /** The last bytes seen after `head` was full: bytes `total - tail.length` up to `total`. */
  tail: Buffer
  /** Bytes that the command wrote. Equal to `head.length + tail.length` when nothing is missing. */
  total: number
  /** That number where the bytes are not those that it wrote any more, and `total` is what it would have been of these. */
  printed?: number
}

export interface DecodedText {
  text: string
  /** Whether the bytes contain a NUL or are not UTF-8. */
  binary: boolean
}

export interface DecodedStream {
  /** The text before the gap; all of it when nothing is missing. */
  head: string
  /** The text after the gap; empty when nothing is missing. */
  tail: string
  /** Bytes between the two that were not kept. */
  missingBytes: number
  /** Whether what was kept contains a NUL or is not UTF-8. A character cut by the gap does not count. */
  binary: boolean
}

/**
 * How a NUL is shown: ␀ (U+2400). A raw NUL would be legal in a JSON string, but terminals drop it, and C strings and
 * several model APIs end or refuse the text there. `binary` tells a shown NUL from a ␀ that the command printed.
 */
const nulPicture = '\u2400'

/** `text` with every NUL replaced by {@link nulPicture}. */
function showNuls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', nulPicture) : text
}

/**
 * Decodes UTF-8. Invalid bytes become U+FFFD, as WHATWG's decoder has it (one per maximal subpart), a byte order mark
 * is kept, NULs are shown as {@link nulPicture}.
 */
export function decodeBytes(bytes: Buffer): DecodedText {
  const raw = bytes.toString('utf8')
  // The text is searched, not the bytes: a search in a short string never leaves JavaScript's heap, and isUtf8 is
  // needed only to tell a U+FFFD that was printed from one that the decoder made.
  const binary = raw.includes('\0') || (raw.includes('\uFFFD') && !isUtf8(bytes))
  return { text: binary ? showNuls(raw) : raw, binary }
}

/** Whether `bytes` contain a NUL or are not UTF-8. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) || !isUtf8(bytes)
}

/** Bytes of the stream that the capture did not keep. */
export function missingBytes(stream: CapturedStream): number {
  return stream.total - stream.head.length - stream.tail.length
}

/** The kept bytes as one buffer. For a stream with nothing missing these are all its bytes. */
export function joinBytes(stream: CapturedStream): Buffer {
  return stream.tail.length === 0 ? stream.head : Buffer.concat([stream.head, stream.tail])
}

/** `bytes` without a character that a cut at their end left incomplete. */
export function trimCutEnd(bytes: Buffer): Buffer {
  return bytes.subarray(0, completeLength(bytes))
}

/** `bytes` without the rest of a character that a cut at their start left over. */
export function trimCutStart(bytes: Buffer): Buffer {
  return bytes.subarray(orphanLength(bytes))
}

/** Decodes what was kept of a stream. The edges of the gap, if there is one, are moved to character boundaries. */
export function decodeStream(stream: CapturedStream): DecodedStream {
  const missing = missingBytes(stream)
  if (missing === 0) {
    const { text, binary } = decodeBytes(joinBytes(stream))
    return { head: text, tail: '', missingBytes: 0, binary }
  }
  const head = decodeBytes(trimCutEnd(stream.head))
  const tail = decodeBytes(trimCutStart(stream.tail))
  return { head: head.text, tail: tail.text, missingBytes: missing, binary: head.binary || tail.binary }
}
