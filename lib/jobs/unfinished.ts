// The end of a file that is still being written: what of it cannot be given to a reader yet.

/**
 * The supervisor's last words. They are in the file a moment before exit.json tells their length.
 */
const statusLine =
  /\n\n\[background process (?:completed|failed: exit code \d{1,3}|killed: [\w+]{1,20}|timed out after [\w.]{1,20})\]$/
/** More than the longest status line has. */
export const maxStatusLineBytes = 128

/**
 * An escape sequence without its end: CSI, a short one, or a string such as a window title, as lib/output/render.ts
 * knows them; in UTF-8, each byte a character. Each attempt ends at the next escape, so that the search is linear.
 */
const escapeSequence =
  /(?:\x1b(?:\[[\x20-\x3f]*|[\x20-\x2f]*|[\]PX^_](?:(?!\xc2\x9c)[^\x07\x18\x1a\x1b\n]){0,8192}\x1b?)|\xc2\x9b[\x20-\x3f]*)$/
/** The longest one that is looked for. */
const maxSequenceBytes = 8192 + 3

/** Length of the status line at the end of `bytes`, 0 when there is none. */
export function statusLineLength(bytes: Buffer): number {
  return statusLine.exec(lastBytes(bytes, maxStatusLineBytes))?.[0].length ?? 0
}

/** `bytes` without an escape sequence whose end is still to come: that would be read as text later. */
export function withoutUnfinishedSequence(bytes: Buffer): Buffer {
  const sequence = escapeSequence.exec(lastBytes(bytes, maxSequenceBytes))?.[0] ?? ''
  return bytes.subarray(0, bytes.length - sequence.length)
}

/** As Latin-1, so that the text has as many characters as bytes. */
function lastBytes(bytes: Buffer, count: number): string {
  return bytes.subarray(-count).toString('latin1')
}
