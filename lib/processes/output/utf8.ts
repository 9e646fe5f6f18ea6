// Where UTF-8 characters begin and end, so that a cut through bytes never goes through a character.

/** Bytes of the sequence that `lead` opens; 1 for ASCII and for bytes that open nothing (RFC 3629, section 4). */
function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  return 1
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Whether `second` may follow `lead`: no overlong forms, no surrogates, nothing above U+10FFFF. */
function mayFollow(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0
  if (lead === 0xed) return second <= 0x9f
  if (lead === 0xf0) return second >= 0x90
  if (lead === 0xf4) return second <= 0x8f
  return true
}

/**
 * The number of bytes up to the end of the last complete character: `bytes.length`, or up to 3 less when `bytes`
 * ends in the beginning of a character. Bytes that can no longer become a character are left in.
 */
export function completeLength(bytes: Uint8Array): number {
  const end = bytes.length
  for (let start = end - 1; start >= 0 && start >= end - 3; start--) {
    const lead = bytes[start] as number
    if (isContinuation(lead)) continue
    if (sequenceLength(lead) <= end - start) return end
    const second = bytes[start + 1]
    return second === undefined || mayFollow(lead, second) ? start : end
  }
  return end
}

/**
 * The number of bytes at the start of `bytes`, at most `limit`, that may be the end of a character whose beginning is
 * missing. No character has more than 3 such bytes.
 */
export function orphanLength(bytes: Uint8Array, limit = 3): number {
  let length = 0
  while (length < limit && isContinuation(bytes[length])) length++
  return length
}
