// How much of a command's output a tool keeps, and how it is cut.

import { BoundedText } from './bounded-text.js'
import {
  type CapturedStream,
  decodeBytes,
  decodeStream,
  joinBytes,
  missingBytes,
  trimCutEnd,
} from './decode.js'
import { normalizeOutput } from './render.js'
import {
  type BoundedOutput,
  fromLineStart,
  keptOutputBytes,
  lineReach,
  maxOutputBytes,
  truncateMiddle,
} from './truncate.js'

export interface OutputProfile {
  /** Raw bytes that the engine keeps from the start of each stream. */
  readonly headBytes: number
  /** Raw bytes that it keeps from the end. */
  readonly tailBytes: number
  /** Whether text is rendered as a terminal would show it. */
  readonly normalize: boolean
  /** The same of live output, which then comes in whole lines. Default: `normalize`. */
  readonly normalizeLive?: boolean
  /** Plain ASCII of at most so many characters is given as it is, after rendering. */
  readonly maxWholeText: number
  /** @param reserved characters that are to be left free, where characters are counted */
  bound(stream: CapturedStream, reserved?: number): BoundedOutput
}

/** The bash tool's: 128 KiB whole, of more the first and the last 4 KiB. REQ-BASH-001 (docs/requirements.md). */
export const bashProfile: OutputProfile = {
  headBytes: maxOutputBytes,
  tailBytes: keptOutputBytes + lineReach,
  normalize: false,
  maxWholeText: maxOutputBytes,
  bound: (stream) => truncateMiddle(stream),
}

/** More raw bytes are kept where text is rendered: a progress bar is much longer than what it leaves on the screen. */
export const normalizedBashProfile: OutputProfile = {
  ...bashProfile,
  headBytes: 256 * 1024,
  tailBytes: 64 * 1024,
  normalize: true,
  bound: (stream) => truncateMiddle(stream, { render: normalizeOutput }),
}

/** The same, when the rest goes to a file: that begins behind the head, and has to begin before the text is cut. */
export const savedNormalizedBashProfile: OutputProfile = {
  ...normalizedBashProfile,
  headBytes: maxOutputBytes,
  tailBytes: 192 * 1024,
}

/** Characters that the suite gives: of more the first and the last half. REQ-SUITE-008 (docs/requirements.md). */
export const suiteMaxCharacters = 30_000

export interface CharactersOptions {
  maxChars: number
  /** Whether a cut is moved to the end of a line that is near. */
  wholeLines: boolean
  /** Whether text is rendered as a terminal would show it. */
  normalize: boolean
  /** Whether the rest goes to a file: that begins behind the head, and has to begin before the text is cut. */
  save: boolean
}

/** Bounded in characters, with no step: of longer output there is as much as of the longest that is given whole. */
export function charactersProfile({
  maxChars,
  wholeLines,
  normalize,
  save,
}: CharactersOptions): OutputProfile {
  // A character takes three bytes at most (a surrogate pair, which is two, takes four).
  const wholeBytes = Math.max(256 * 1024, 3 * maxChars)
  const endBytes = Math.max(64 * 1024, 2 * maxChars)
  const headBytes = save ? maxChars : wholeBytes
  return {
    headBytes,
    tailBytes: wholeBytes + endBytes - headBytes,
    normalize,
    maxWholeText: maxChars,
    bound(stream, reserved = 0) {
      const { head, tail, missingBytes, binary } = decodeStream(stream)
      const text = new BoundedText(maxChars - reserved, { wholeLines })
      text.add(normalize ? normalizeOutput(head) : head)
      if (missingBytes > 0) text.skip(missingBytes)
      const last = missingBytes > 0 && normalize ? fromLineStart(tail) : tail
      text.add(normalize ? normalizeOutput(last) : last)
      return { ...text.result(), binary }
    },
  }
}

const execMaxBytes = 1024 * 1024

/** The exec tool's: the first 1 MiB of each stream, then `... (truncated)`. REQ-EXEC-006 (docs/requirements.md). */
export const execProfile: OutputProfile = {
  headBytes: execMaxBytes,
  tailBytes: 0,
  normalize: false,
  maxWholeText: execMaxBytes,
  bound(stream) {
    const truncated = missingBytes(stream) > 0
    const { text, binary } = decodeBytes(truncated ? trimCutEnd(stream.head) : joinBytes(stream))
    return { text: truncated ? `${text}... (truncated)` : text, truncated, binary }
  },
}
